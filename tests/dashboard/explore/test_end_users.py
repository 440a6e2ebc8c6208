"""Explore lists end users by their ids, and finds them; each look is told to the audit log."""

from __future__ import annotations

import re
from urllib.parse import quote

from tests.api_client import ok, unique, wait_for
from tests.dashboard.explore.yard import Yard
from tests.dashboard.visitor import words


def test_an_empty_project_says_what_to_do_next(fresh_yard: Yard) -> None:
    page = fresh_yard.owner.get(fresh_yard.path)
    assert "Nothing is remembered yet" in words(page)
    assert f"/dashboard/p/{fresh_yard.project}/playground/" in page.text
    assert "No agents here" in fresh_yard.read(f"{fresh_yard.path}agents/")
    assert "No memories" in fresh_yard.read(f"{fresh_yard.path}memories/")


def test_end_users_are_listed_with_what_the_api_counts(fresh_yard: Yard) -> None:
    yard = fresh_yard
    yard.api.told("I live in Rome. I like tea.", "Ann & Söhne #1")
    yard.api.told("I live in Oslo.", "bob", timestamp="2020-01-01")
    yard.api.told("I moved to Bergen.", "bob", timestamp="2021-01-01")
    yard.api.add("Nobody's note.")
    yard.api.settle()
    page = yard.owner.get(yard.path)
    shown = re.findall(
        r'<th scope="row"><a href="([^"]+)">.*?<td class="number">(.*?)</td>.*?number">(.*?)</td>',
        page.text,
        flags=re.S,
    )
    counts = {href.rpartition("?")[2]: (memories, facts) for href, memories, facts in shown}
    told = {
        f"user={quote(one['user_id'], safe='')}": (str(one["memories"]), str(one["facts"]))
        for one in ok(yard.api.get("/v1/users"))["users"]
    }
    assert counts == {"nobody=1": ("1", "0"), **told}
    assert shown[0][0].rpartition("?")[2] == "nobody=1"
    assert ("read", "ok", "dashboard.users", [], []) in yard.events()


def test_pages_of_end_users_show_each_once_both_ways(fresh_yard: Yard) -> None:
    yard = fresh_yard
    names = [f"user-{number:03}" for number in range(60)]
    yard.api.post("/v1/batch", {"memories": [{"content": "x", "user_id": one} for one in names]})
    wait_for("the batch", lambda: ok(yard.api.get("/v1/users"))["total"] == 60)

    def listed(text: str) -> list[str]:
        return re.findall(r"<bdi>(user-\d+)</bdi>", text)

    def link(text: str, rel: str) -> str | None:
        found = re.search(rf'href="([^"]+)" rel="{rel}"', text)
        return found and yard.path + found.group(1).replace("&amp;", "&")

    pages, path = [], yard.path
    while path:
        text = yard.owner.get(path).text
        pages.append(listed(text))
        path = link(text, "next")
        last = text
    assert [one for page in pages for one in page] == names
    assert [len(page) for page in pages] == [25, 25, 10]
    middle = yard.owner.get(link(last, "prev")).text
    assert listed(middle) == pages[1]
    assert listed(yard.owner.get(link(middle, "prev")).text) == pages[0]


def test_an_end_user_is_found_by_the_beginning_of_the_id(yard: Yard) -> None:
    name = unique("Käthe #")
    made = yard.api.told("I like tea.", name)
    assert name in yard.read(f"{yard.path}?find={quote(name[:9], safe='')}")
    assert "No end user found" in yard.read(f"{yard.path}?find={quote(name.lower(), safe='')}")
    assert "No such id" in words(yard.owner.get(f"{yard.path}?find=%00"))
    to = yard.owner.get(f"{yard.path}?find={made['id']}").headers["location"]
    assert to == f"{yard.path}memories/{made['id']}/"
    assert yard.owner.get(to).status_code == 200
    fact = made["facts"][0]["id"]
    to = yard.owner.get(f"{yard.path}?find={fact}").headers["location"]
    assert to == f"/dashboard/p/{yard.project}/facts/{fact}/"


def test_an_id_that_nobody_could_have_is_no_page(yard: Yard) -> None:
    for query in ("user=", "user=a%2Fb", "user=%00", f"user={'x' * 256}", "user=.."):
        for page in ("user/", "memories/", "names/", "erase/"):
            path = f"{yard.path}{page}?{query}"
            assert yard.owner.get(path).status_code == 404, path
    assert "Nothing is remembered here" in yard.read(yard.of_user(unique("nobody")))


def test_names_are_listed_and_declared_and_a_taken_one_is_refused(yard: Yard) -> None:
    ann, bob = unique("ann"), unique("bob")
    yard.api.told("Annabel lives in Rome.", ann)
    name = unique("Annabel")
    path = yard.of_user(ann, "names/")
    assert "No name is declared" in yard.read(path)
    done = yard.member.post(path, {"name": name, "agent_id": ""})
    assert done.status_code == 302
    assert name in yard.read(path)
    taken = yard.member.post(yard.of_user(bob, "names/"), {"name": name.upper(), "agent_id": ""})
    assert taken.status_code == 409
    assert "declared for another end user" in words(taken)
    assert "No name is declared" in yard.read(yard.of_user(bob, "names/"))
    for fields in ({"name": " "}, {"name": "x" * 201}, {"name": "x", "agent_id": "a/b"}):
        assert yard.member.post(path, fields).status_code == 422
    assert [event[0] for event in yard.events(ann)].count("name_declare") == 1
