"""Forms of the dashboard. Services decide; a form carries values and shows what they refuse."""

from __future__ import annotations

from django import forms

from korely.kernel.errors import Refusal


class ServiceForm(forms.Form):
    """A form whose values a service checks."""

    def refuse(self, refusal: Refusal, default: str | None = None) -> None:
        """Show a refusal beside the field it names, else beside `default`, else on top."""
        self.is_valid()
        detail = refusal.extra.get("detail")
        field, text = (default, refusal.message)
        if detail:
            named = [part for part in detail[0]["loc"] if part in self.fields]
            field = named[0] if named else default
            text = detail[0]["msg"] if named else refusal.message
        if field not in self.errors:
            self.add_error(field, text)
