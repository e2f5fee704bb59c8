@echo off
rem Double click this file on Windows to start Topage.
rem The first start installs Topage, after a question. Later starts need no internet and keep the installed release.
rem A file topage-....whl beside this one is installed in place of the newest release.
setlocal
set "PATH=%USERPROFILE%\.local\bin;%LOCALAPPDATA%\Microsoft\WinGet\Links;%PATH%"
where topage >nul 2>nul
if not errorlevel 1 (
    topage
    pause
    exit /b
)
echo Topage n'est pas encore installe. L'installation demande Internet, une seule fois.
echo Topage is not installed yet. The installation needs the internet, only once.
choice /c OYN /m "Installer maintenant ? Install now? (O = oui, Y = yes, N)"
if errorlevel 3 exit /b
where uv >nul 2>nul
if errorlevel 1 winget install --exact --id astral-sh.uv --accept-source-agreements --accept-package-agreements
where uv >nul 2>nul
if errorlevel 1 powershell -NoProfile -ExecutionPolicy Bypass -Command "irm https://astral.sh/uv/install.ps1 | iex"
set "RELEASE=topage"
for %%f in ("%~dp0topage-*.whl") do set "RELEASE=%%f"
uv tool install --python 3.12 "%RELEASE%"
rem From now on, a new window for commands knows topage.
if not errorlevel 1 (uv tool update-shell >nul 2>nul & topage)
pause
