; kiroku:// links open the app. What is written on installing is taken away on uninstalling.

!macro NSIS_HOOK_POSTINSTALL
  WriteRegStr SHCTX "Software\Classes\kiroku" "" "URL:Kiroku"
  WriteRegStr SHCTX "Software\Classes\kiroku" "URL Protocol" ""
  WriteRegStr SHCTX "Software\Classes\kiroku\DefaultIcon" "" "$INSTDIR\${MAINBINARYNAME}.exe,0"
  WriteRegStr SHCTX "Software\Classes\kiroku\shell\open\command" "" '"$INSTDIR\${MAINBINARYNAME}.exe" "%1"'
!macroend

!macro NSIS_HOOK_PREUNINSTALL
  DeleteRegKey SHCTX "Software\Classes\kiroku"
!macroend
