; What electron-builder's script for Windows does first, of the desktop app's installers. Kept beside a newer version's (main/desktop/kept-installer.ts),
; an installer runs that one and waits: where the newer version does not begin, it goes on as usual, which puts its own version back. Nothing of the
; newer version is needed for that.
!include LogicLib.nsh
!include FileFunc.nsh

!macro preInit
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/TRY=" $R1
  ${IfNot} ${Errors}
    ${GetOptions} $R0 "/NOTBEGUN=" $R2
    ${GetOptions} $R0 "/WITHIN=" $R3
    ; No program is removed while the folder of another process is in it.
    SetOutPath "$TEMP"
    ClearErrors
    ExecWait '"$R1" /S --updated --force-run' $R4
    ${IfNot} ${Errors}
    ${AndIf} $R4 == 0
      IntOp $R3 $R3 * 4
      ${DoWhile} ${FileExists} "$R2"
        Sleep 250
        IntOp $R3 $R3 - 1
      ${LoopUntil} $R3 <= 0
    ${EndIf}
    ; Of this and the newer version one alone succeeds.
    ClearErrors
    Rename "$R2" "$R2.late"
    ${If} ${Errors}
      SetErrorLevel 0
      Quit
    ${EndIf}
  ${EndIf}
!macroend
