@echo off
rem Install Topage from the files beside this one, without the internet, and start it. Python 3.12 must be there.
setlocal
cd /d "%~dp0"
set "PLACE=%USERPROFILE%\.local\share\topage"
py -3.12 -m venv "%PLACE%"
if not errorlevel 1 "%PLACE%\Scripts\python" -m pip install --quiet --upgrade --no-index --find-links . topage
if errorlevel 1 (
    pause
    exit /b 1
)
if not exist "%USERPROFILE%\.local\bin" mkdir "%USERPROFILE%\.local\bin"
copy /y "%PLACE%\Scripts\topage.exe" "%USERPROFILE%\.local\bin" >nul
"%USERPROFILE%\.local\bin\topage"
pause
