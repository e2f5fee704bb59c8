"""The settings of accounts: passwords, second steps, how wrong tries are counted. `config.settings` imports all."""

AUTH_USER_MODEL = "clubs.User"
AUTHENTICATION_BACKENDS = [
    "clubs.guard.log_in.PasswordBackend",
    # This backend keeps sessions of earlier releases valid. It never gets a password.
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "pages.accounts.adapter.AccountAdapter"
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # some pages ask a user who is logged in to log in with another account
ACCOUNT_CHANGE_EMAIL = True  # an account has only one address
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # people without an account get no mail
ACCOUNT_EMAIL_VERIFICATION = "none"  # an address is confirmed when it is entered; a log-in does not need it
ACCOUNT_FORMS = {
    "login": "pages.accounts.forms.LoginForm",
    "add_email": "pages.accounts.forms.EmailForm",
    "change_password": "pages.accounts.forms.ChangePasswordForm",
    "reset_password": "pages.accounts.forms.ForgottenForm",
    "reset_password_from_key": "pages.accounts.forms.ChooseForm",
    "reauthenticate": "pages.accounts.forms.ConfirmForm",
}
ACCOUNT_LOGIN_METHODS = {"email", "username"}
ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
ACCOUNT_SESSION_REMEMBER = True
# clubs.guard counts wrong passwords and codes; links of 128 bits are not counted.
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_failed": "5/5m/key",  # only for codes of the second step
    "reset_password": "30/m/ip,5/m/key",  # how many mails of each kind are sent
    "reset_password_from_key": None,
}
MFA_FORMS = {
    "authenticate": "pages.accounts.forms.CodeForm",
    "reauthenticate": "pages.accounts.forms.ConfirmCodeForm",
    "activate_totp": "pages.accounts.forms.ActivateForm",
}
MFA_ALLOW_UNVERIFIED_EMAIL = True  # helpers have no mail address, but may use the second step
MFA_RECOVERY_CODES_SHOW_ONCE = False
MFA_TOTP_ISSUER = "Topage"
MFA_TOTP_TOLERANCE = 1  # the clock of a telephone may be half a minute wrong
