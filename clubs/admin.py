"""Accounts, clubs and roles for whoever runs the server. Results, deals and publications are not edited here."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.forms import ModelForm
from django.http import HttpRequest

from clubs.models import Club, Membership, Person, Player, Season, User
from clubs.players import raise_names_version


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Membership
    extra = 1


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]
    inlines = [MembershipInline]


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

    def save_model(self, request: HttpRequest, obj: Player, form: "ModelForm[Player]", change: bool) -> None:
        if obj.person_id is None:
            obj.person = Person.objects.create()
        super().save_model(request, obj, form, change)
        raise_names_version(obj.club_id, form.initial.get("club", obj.club_id))


admin.site.register(Season)
