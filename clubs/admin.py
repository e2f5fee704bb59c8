"""The administration pages for accounts, clubs and roles. Only those who look after the site use them.

Results, deals and publications cannot be edited here, nor can the secrets of the library for accounts.
"""

from contextlib import suppress

from allauth.account.models import EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.admin.exceptions import NotRegistered
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.accounts.changes import end_all_links
from clubs.accounts.players import untie
from clubs.accounts.questions import part_from_all
from clubs.models import Club, LogInTry, Membership, Person, Player, Season, User
from clubs.shown import raise_names_version, update_visibility

admin.site.site_header = admin.site.site_title = _("Administration of Topage")
admin.site.index_title = _("What no other page changes")
for model in (Authenticator, EmailConfirmation, UserSession):
    with suppress(NotRegistered):
        admin.site.unregister(model)


def author_of(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Membership
    extra = 1


class RoleInline(MembershipInline):
    fk_name = "user"  # the user who has the role, not the one who invited


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]
    inlines = [RoleInline]
    actions = ["end_second_step"]

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        end_all_links(obj, now=timezone.now())
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: "QuerySet[User]") -> None:
        for user in queryset:
            end_all_links(user, now=timezone.now())
        super().delete_queryset(request, queryset)

    @admin.action(description=_("Remove the two-step log-in of the selected accounts"))
    def end_second_step(self, request: HttpRequest, chosen: "QuerySet[User]") -> None:
        """Remove the second step of log-in for people who have lost their telephone and their codes."""
        Authenticator.objects.filter(user__in=chosen).delete()


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    inlines = [MembershipInline]
    prepopulated_fields = {"slug": ["name"]}

    def save_model(self, request: HttpRequest, obj: Club, form: "ModelForm[Club]", change: bool) -> None:
        super().save_model(request, obj, form, change)
        raise_names_version(obj.pk)


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["last_name", "first_name", "licence", "club"]
    list_filter = ["club"]
    search_fields = ["last_name", "first_name", "licence"]
    actions = ["untie_accounts", "part_from_other_clubs"]

    @admin.action(description=_("Unlink the accounts of the selected players"))
    def untie_accounts(self, request: HttpRequest, chosen: "QuerySet[Player]") -> None:
        """End the links between these players and their accounts. The log of each club records it.

        It is for people who cannot reach a director.
        """
        for player in chosen.select_related("club"):
            untie(player, by=author_of(request), now=timezone.now())

    @admin.action(description=_("Separate the selected players from players of other clubs"))
    def part_from_other_clubs(self, request: HttpRequest, chosen: "QuerySet[Player]") -> None:
        """End the links of these players with players of other clubs.

        Players with a common account stay one person.
        """
        for player in chosen:
            part_from_all(player, by=author_of(request), now=timezone.now())

    def save_model(self, request: HttpRequest, obj: Player, form: "ModelForm[Player]", change: bool) -> None:
        if obj.person_id is None:
            obj.person = Person.objects.create()
        super().save_model(request, obj, form, change)
        if (left := form.initial.get("club", obj.club_id)) != obj.club_id:
            raise_names_version(left)
        update_visibility(obj.person)


@admin.register(LogInTry)
class LogInTryAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["at", "name", "address", "succeeded", "agent"]
    list_filter = ["succeeded"]
    search_fields = ["name", "address"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: LogInTry | None = None) -> bool:
        return False


admin.site.register(Season)
