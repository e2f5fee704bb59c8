"""Accounts, clubs and roles for whoever runs the server. Results, deals and publications are not edited here."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from clubs.models import Club, Membership, Player, Season, User


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


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["last_name", "first_name", "licence", "club"]
    list_filter = ["club"]
    search_fields = ["last_name", "first_name", "licence"]


admin.site.register(Season)
