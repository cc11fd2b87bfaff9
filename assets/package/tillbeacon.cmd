@"%~dp0bin\node.exe" "%~dp0tillbeacon.mjs" %*
