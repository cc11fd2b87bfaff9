; Installs the daemon for all users and has Windows start it with the computer.
; Silent: /S. Another folder: /D=C:\Folder, as the last one. Without the task: /NOSERVICE.
; The uninstaller keeps the data in ProgramData, unless it is called with /DELETEDATA.
; As 64-bit as the Node inside.
Target amd64-unicode
!include FileFunc.nsh
!include LogicLib.nsh
!include x64.nsh

Name "Tillbeacon"
OutFile "${OUTPUT}"
RequestExecutionLevel admin
InstallDir "$PROGRAMFILES64\Tillbeacon"
SetCompressor /SOLID ${COMPRESSOR}
!ifdef SIGN
  !uninstfinalize '${SIGN} -in "%1" -out "%1.signed" && mv "%1.signed" "%1"'
!endif
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "Tillbeacon"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "Tillbeacon's daemon"
VIAddVersionKey LegalCopyright "MIT licence"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Tillbeacon"

Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

; The program of a version before, while nothing of it runs. What is ours is named: the folder may be one that somebody has chosen.
!macro RemoveProgram
  ; By its number, Windows would have to be asked in its own language whether the task has ended: the file can be deleted when it has.
  nsExec::Exec 'schtasks /end /tn Tillbeacon'
  Pop $0
  ${For} $1 1 50
    Delete "$INSTDIR\bin\node.exe"
    ${IfNot} ${FileExists} "$INSTDIR\bin\node.exe"
      ${ExitFor}
    ${EndIf}
    Sleep 200
  ${Next}
  ${If} ${FileExists} "$INSTDIR\bin\node.exe"
    SetErrorLevel 3
    DetailPrint "Tillbeacon still runs and could not be ended."
    Abort
  ${EndIf}
  RMDir /r "$INSTDIR\bin"
  RMDir /r "$INSTDIR\out"
  RMDir /r "$INSTDIR\node_modules"
  RMDir /r "$INSTDIR\assets"
  RMDir /r "$INSTDIR\licenses"
!macroend

Section
  ${If} ${RunningX64}
    SetRegView 64
  ${EndIf}
  SetShellVarContext all
  !insertmacro RemoveProgram
  SetOutPath "$INSTDIR"
  File /r "${FILES}\*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKLM "${UNINSTALL}" DisplayName "Tillbeacon"
  WriteRegStr HKLM "${UNINSTALL}" DisplayVersion "${VERSION}"
  WriteRegStr HKLM "${UNINSTALL}" Publisher "Tillbeacon"
  WriteRegStr HKLM "${UNINSTALL}" InstallLocation "$INSTDIR"
  WriteRegStr HKLM "${UNINSTALL}" UninstallString '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKLM "${UNINSTALL}" QuietUninstallString '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKLM "${UNINSTALL}" NoModify 1
  WriteRegDWORD HKLM "${UNINSTALL}" NoRepair 1
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/NOSERVICE" $1
  ${If} ${Errors}
    nsExec::ExecToLog '"$INSTDIR\bin\node.exe" "$INSTDIR\tillbeacon.mjs" service install'
    Pop $0
    ${If} $0 != 0
      SetErrorLevel 4
      DetailPrint "Windows could not be told to start Tillbeacon."
      Abort
    ${EndIf}
  ${EndIf}
SectionEnd

Section Uninstall
  ${If} ${RunningX64}
    SetRegView 64
  ${EndIf}
  SetShellVarContext all
  nsExec::ExecToLog '"$INSTDIR\bin\node.exe" "$INSTDIR\tillbeacon.mjs" service uninstall'
  Pop $0
  !insertmacro RemoveProgram
  Delete "$INSTDIR\tillbeacon.cmd"
  Delete "$INSTDIR\tillbeacon.mjs"
  Delete "$INSTDIR\package.json"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\sbom.cdx.json"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  DeleteRegKey HKLM "${UNINSTALL}"
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/DELETEDATA" $1
  ${IfNot} ${Errors}
    ; A version that the launcher has brought runs from there, and ends by itself when the launcher has.
    ${For} $1 1 50
      RMDir /r "$APPDATA\Tillbeacon"
      ${IfNot} ${FileExists} "$APPDATA\Tillbeacon\*.*"
        ${ExitFor}
      ${EndIf}
      Sleep 200
    ${Next}
    ${If} ${FileExists} "$APPDATA\Tillbeacon\*.*"
      RMDir /r /REBOOTOK "$APPDATA\Tillbeacon"
      SetErrorLevel 5
      DetailPrint "Something still uses $APPDATA\Tillbeacon: what is left of the data goes when Windows starts again."
    ${EndIf}
  ${EndIf}
SectionEnd
