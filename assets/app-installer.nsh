; What electron-builder's script for Windows does first and last, of the desktop app's installers. Kept beside a newer version's
; (main/host/desktop/previous-installer.ts), an installer runs that one and waits: where the newer version does not begin, it goes on as usual, which puts its own
; version back. Nothing of the newer version is needed for that.
;
; While an installer is at work there may be no program that could be started, so Windows is told beforehand what to run at the next sign-in of this user:
; this installer again. Where the power fails, that finishes what was begun.
;
;   /TRY="FILE" /WITHIN=SECONDS   runs that installer; its version begins in time, or this one's is put back
;   /UNLESSBEGUN /WITHIN=SECONDS  at the sign-in: puts its own version back, unless the newer one has begun or begins in time
;   /FINISH                       installs its own version, and does so again at the next sign-in where the power fails
!include LogicLib.nsh
!include FileFunc.nsh

!define AT_SIGN_IN "Software\Microsoft\Windows\CurrentVersion\RunOnce"
; Because of the "!" Windows removes it when its command has ended, and not before: the power may fail twice.
!define AT_SIGN_IN_NAME "!Tillbeacon App"
!define MOST_AT_SIGN_IN 260

!macro runAtSignIn OPTIONS
  StrCpy $R8 '"$EXEPATH" /S --updated --force-run ${OPTIONS}'
  StrLen $R9 $R8
  ${If} $R9 <= ${MOST_AT_SIGN_IN}
    WriteRegStr HKCU "${AT_SIGN_IN}" "${AT_SIGN_IN_NAME}" $R8
    ; HKEY_CURRENT_USER, to disk: Windows would take its time.
    System::Call 'advapi32::RegFlushKey(p -2147483647)'
  ${EndIf}
!macroend

; What was installed has to be on disk before: as an administrator a whole volume can be flushed.
!macro runNothingAtSignIn
  StrCpy $R8 $PROGRAMFILES 2
  System::Call 'kernel32::CreateFile(t "\\.\$R8", i 0x40000000, i 3, p 0, i 3, i 0, p 0)p.R9'
  System::Call 'kernel32::FlushFileBuffers(p R9)'
  System::Call 'kernel32::CloseHandle(p R9)'
  DeleteRegValue HKCU "${AT_SIGN_IN}" "${AT_SIGN_IN_NAME}"
!macroend

!macro preInit
  ${GetParameters} $R0
  ${GetOptions} $R0 "/WITHIN=" $R3
  ; Whoever removes it decides: this, or the version that begins.
  StrCpy $R2 "$EXEDIR\not-begun"
  StrCpy $R5 ""
  ClearErrors
  ${GetOptions} $R0 "/UNLESSBEGUN" $R1
  ${IfNot} ${Errors}
    StrCpy $R5 "tried"
  ${EndIf}
  ClearErrors
  ${GetOptions} $R0 "/TRY=" $R1
  ${IfNot} ${Errors}
    StrCpy $R5 "tried"
    !insertmacro runAtSignIn "/UNLESSBEGUN /WITHIN=0"
    ; No program is removed while the folder of another process is in it.
    SetOutPath "$TEMP"
    ClearErrors
    ExecWait '"$R1" /S --updated --force-run' $R4
    ${IfNot} ${Errors}
    ${AndIf} $R4 == 0
      ; It is there: at the sign-in it may be what Windows starts at the same time.
      !insertmacro runAtSignIn "/UNLESSBEGUN /WITHIN=$R3"
    ${Else}
      StrCpy $R3 0
    ${EndIf}
  ${EndIf}
  ${If} $R5 == "tried"
    IntOp $R3 $R3 * 4
    ${DoWhile} ${FileExists} "$R2"
      Sleep 250
      IntOp $R3 $R3 - 1
    ${LoopUntil} $R3 <= 0
    ; Of this and the newer version one alone succeeds. Where the power failed after it, the file has its other name already.
    ClearErrors
    Rename "$R2" "$R2.late"
    ${If} ${Errors}
    ${AndIfNot} ${FileExists} "$R2.late"
      !insertmacro runNothingAtSignIn
      SetErrorLevel 0
      Quit
    ${EndIf}
  ${EndIf}
  ClearErrors
  ${GetOptions} $R0 "/FINISH" $R1
  ${IfNot} ${Errors}
  ${OrIf} $R5 == "tried"
    !insertmacro runAtSignIn "/FINISH"
  ${EndIf}
  ClearErrors
!macroend

; Of the installer that was to be finished, and not of one that it runs.
!macro customInstall
  ReadRegStr $R8 HKCU "${AT_SIGN_IN}" "${AT_SIGN_IN_NAME}"
  ${If} $R8 == '"$EXEPATH" /S --updated --force-run /FINISH'
    !insertmacro runNothingAtSignIn
  ${EndIf}
!macroend
