; Installs the daemon for all users and has Windows start it with the computer.
; Silent: /S. Another folder: /D=C:\Folder, as the last one. Without the task: /NOSERVICE. With a rule of the firewall for a till over TCP: /TILLPORT=20007.
; The uninstaller keeps the data in ProgramData, unless it is called with /DELETEDATA.
; As 64-bit as the Node inside.
Target amd64-unicode
!include FileFunc.nsh
!include LogicLib.nsh
!include nsDialogs.nsh
!include x64.nsh

Name "Tillbeacon"
OutFile "${OUTPUT}"
RequestExecutionLevel admin
InstallDir "$PROGRAMFILES64\Tillbeacon"
SetCompressor /SOLID ${COMPRESSOR}
Icon "${ICON}"
UninstallIcon "${ICON}"
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
Page custom TillPage TillPageLeave
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

; In the language of the system; in English where it is none of assets/locales.
!include "${LANGUAGES}"

Var OpenPort ; '': the firewall is left as it is
Var TillBox
Var PortBox

!macro CheckPort
  ; What is no number, or none of a port, becomes another one.
  IntOp $0 $OpenPort & 65535
  ${If} $0 == 0
    StrCpy $0 none
  ${EndIf}
  ${If} "n$0" != "n$OpenPort"
    MessageBox MB_ICONSTOP $(portRefused) /SD IDOK
    SetErrorLevel 2
    Abort
  ${EndIf}
!macroend

Function .onInit
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/TILLPORT=" $OpenPort
  ${If} ${Errors}
    StrCpy $OpenPort ""
  ${Else}
    !insertmacro CheckPort
  ${EndIf}
FunctionEnd

Function TillPage
  nsDialogs::Create 1018
  Pop $0
  ${NSD_CreateCheckbox} 0 0 100% 24u $(till)
  Pop $TillBox
  ${NSD_CreateLabel} 0 32u 40u 12u $(tillPort)
  Pop $0
  ${NSD_CreateNumber} 44u 30u 40u 12u "20007"
  Pop $PortBox
  ${If} $OpenPort != ""
    ${NSD_Check} $TillBox
    ${NSD_SetText} $PortBox $OpenPort
  ${EndIf}
  nsDialogs::Show
FunctionEnd

Function TillPageLeave
  StrCpy $OpenPort ""
  ${NSD_GetState} $TillBox $0
  ${If} $0 == ${BST_CHECKED}
    ${NSD_GetText} $PortBox $OpenPort
    !insertmacro CheckPort
  ${EndIf}
FunctionEnd

!macro CloseFirewall
  nsExec::Exec 'netsh advfirewall firewall delete rule name="Tillbeacon: till"'
  Pop $0
!macroend

; The program of a version before, while nothing of it runs. What is ours is named: the folder may be one that somebody has chosen.
!macro RemoveProgram
  ; By its number, Windows would have to be asked in its own language whether the task has ended: the file can be deleted when it has.
  ${For} $1 1 50
    ; Each time: within a minute the task starts it again.
    nsExec::Exec 'schtasks /end /tn Tillbeacon'
    Pop $0
    nsExec::Exec 'schtasks /end /tn "Tillbeacon callbacks"'
    Pop $0
    Delete "$INSTDIR\bin\node.exe"
    ${IfNot} ${FileExists} "$INSTDIR\bin\node.exe"
      ${ExitFor}
    ${EndIf}
    Sleep 200
  ${Next}
  ${If} ${FileExists} "$INSTDIR\bin\node.exe"
    SetErrorLevel 3
    DetailPrint $(stillRuns)
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
  ${If} $OpenPort != ""
    !insertmacro CloseFirewall
    ; By port and not by program: a version that the launcher brings is another program.
    nsExec::ExecToLog 'netsh advfirewall firewall add rule name="Tillbeacon: till" dir=in action=allow protocol=TCP localport=$OpenPort remoteip=localsubnet'
    Pop $0
    ${If} $0 != 0
      SetErrorLevel 6
      DetailPrint $(firewallRefused)
    ${EndIf}
  ${EndIf}
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/NOSERVICE" $1
  ${If} ${Errors}
    nsExec::ExecToLog '"$INSTDIR\bin\node.exe" "$INSTDIR\tillbeacon.mjs" service install'
    Pop $0
    ${If} $0 != 0
      SetErrorLevel 4
      DetailPrint $(notStarted)
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
  !insertmacro CloseFirewall
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
      ; Unlike RMDir it does not follow a link to somebody else's files.
      nsExec::Exec '"$SYSDIR\cmd.exe" /c rd /s /q "$APPDATA\Tillbeacon"'
      Pop $0
      ${IfNot} ${FileExists} "$APPDATA\Tillbeacon\*.*"
        ${ExitFor}
      ${EndIf}
      Sleep 200
    ${Next}
    ${If} ${FileExists} "$APPDATA\Tillbeacon\*.*"
      RMDir /r /REBOOTOK "$APPDATA\Tillbeacon"
      SetErrorLevel 5
      DetailPrint $(dataInUse)
    ${EndIf}
  ${EndIf}
SectionEnd
