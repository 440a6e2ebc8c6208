"""What each operation promises, as the OpenAPI document tells it. One entry an operation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Promise:
    """An operation's description, and the refusals that only some operations know.

    Every guarded operation can answer 401, 422, 500 and 503, all but ping 429; what else it can
    answer follows from its scope, path and body. `conflicts`, `confirmed` and `free` tell the
    rest.
    """

    text: str
    conflicts: bool = False  # 409
    confirmed: bool = False  # 400 unless it is asked twice
    free: bool = False  # takes no write and no query of the month


PROMISES: dict[str, Promise] = {
    "GET /v1/ping": Promise(
        "Any live key, whatever its scopes. `processing_region` is null when extraction is local:"
        " no text leaves the server.",
        free=True,
    ),
    "POST /v1/memories": Promise(
        "Needs `memories:write`; costs 1 write. The memory is stored, embedded and findable by"
        " get, list and search when the answer leaves. Its facts follow from a worker, so `status`"
        " is `processing` and `facts` is empty at first; `GET /v1/events` tells when it is done."
        " The same text twice makes two memories."
    ),
    "GET /v1/memories": Promise(
        "Needs `memories:read`; costs 1 query. Filters are ANDed; a filter left out means any."
        " Forgotten memories are left out. `total` counts every page."
    ),
    "POST /v1/memories/search": Promise(
        "Needs `memories:read`; costs 1 query whatever its `types`. `score` is the cosine of query"
        " and text, below zero shown as 0, rounded to 3 decimals; results are ordered by the"
        " unrounded one, ties newest first. `limit` is 15 and `types` is `memories` alone when left"
        " out. With both types the two lists alternate, memory first. `run_id`, `metadata` and"
        " `min_score` narrow memories only and are refused when `types` has `facts`. `type` is in a"
        " result when the request named `types`, `content` when it asked for `full_text`."
    ),
    "GET /v1/memories/{memory_id}": Promise(
        "Needs `memories:read`; costs 1 query. `facts` are those that it states and that hold now."
    ),
    "PATCH /v1/memories/{memory_id}": Promise(
        "Needs `memories:write`; costs 1 write. Replaces and re-embeds the text and extracts again."
        " Values restated stay as they are, values that changed supersede, and facts that only this"
        " memory stated and no longer states are closed. Everything else about the memory is kept."
        " `expected_updated_at` other than the current one, at the precision it is spelled with,"
        " is 409 `stale_write`.",
        conflicts=True,
    ),
    "DELETE /v1/memories/{memory_id}": Promise(
        "Needs `memories:write`; free. The memory leaves every read at once. Open facts that only"
        " it states are closed now and stay readable by `as_of` and `include_invalidated`.",
        free=True,
    ),
    "GET /v1/memories/{memory_id}/history": Promise(
        "Needs `memories:read`; costs 1 query. Oldest first. Still answered for a forgotten memory."
    ),
    "POST /v1/batch": Promise(
        "Needs `memories:write`; costs 1 write an item, in advance. 1 to 500 bodies of `POST"
        " /v1/memories`. A fault in a field refuses the whole batch and names the item; so does one"
        " item out of a confined key's reach, more items than the month has writes left, and"
        " `too_many_batches` when as many of the account run as its plan allows. An item whose"
        " `content` is empty, too long or holds a NUL, or whose agent is past the plan's cap, fails"
        " by itself and gives its write back. The others are stored in their order, each as by a"
        " call of its own; `GET /v1/batch/{job_id}` tells when."
    ),
    "GET /v1/batch/{job_id}": Promise(
        "Needs `memories:read`; free. `imported` and `failed` together make `received` once"
        " `status` is `completed`; `errors` names each failed item, by index. Facts of the memories"
        " follow: `GET /v1/events` tells when.",
        free=True,
    ),
    "GET /v1/facts": Promise(
        "Needs `memories:read`; costs 1 query. By default what holds now. `as_of` asks what held at"
        " an instant of the world, `known_as_of` what the store knew at an instant; both may be"
        " given. `subject` compares the subject, `entity` subject or object: the whole value,"
        " without regard to case. Newest `valid_from` first."
    ),
    "POST /v1/facts": Promise(
        "Needs `memories:write`; costs 1 write. Nothing is extracted: the triple is reconciled as"
        " it stands with the facts of the same end user and agent. A new value of a single slot"
        " supersedes the old one at its `valid_from`; one that begins before an open fact of its"
        " slot is history; the open fact that says the same is confirmed and answered."
        " `invalidated` names what this write ended. Left out: `subject_type` is `unknown`,"
        " `object_is_literal` false, `confidence` 0.9, `tense` `current`, `valid_from` now. A"
        " `past` fact is stored closed and closes the open one of the same subject, predicate and"
        " object, whose start it takes when it has none; a `planned` one ends nothing current."
    ),
    "PATCH /v1/facts/{fact_id}": Promise(
        "Needs `memories:write`; costs 1 write. Send at least one part. Not an edit: a new fact"
        " begins now, or when the corrected one was to begin, and the old one ends there."
        " `invalidated` names the corrected fact first. A correction that changes nothing confirms"
        " the fact. A fact that is history is 409 `fact_not_current`; `current_fact_id` is the one"
        " that holds now, or null.",
        conflicts=True,
    ),
    "POST /v1/facts/{fact_id}/forget": Promise(
        "Needs `memories:write`; free. `at` is when the fact stopped being true, now when left out;"
        " it may be to come, and cannot be before the fact began. A fact that has ended answers"
        " `already_forgotten` with its end unchanged and `audit_id` null.",
        free=True,
    ),
    "GET /v1/facts/{fact_id}/why": Promise(
        "Needs `memories:read`; costs 1 query. Answered for an ended fact too. `sources` are the"
        " memories that state it, or did until `withdrawn_at`, with the words that say so as far as"
        " the present text holds them; `direct` tells that a caller wrote it or said it again, so"
        " that a fact without sources has `direct` alone. `ended` has the rule that ended it, in"
        " its word and in a sentence, both clocks, and the fact that took its place, if one did."
        " `superseded` are the facts that it ended itself. `chain` follows `invalidated_by` both"
        " ways, oldest first, up to 50 facts before and 50 after, the nearest of them; all are the"
        " same end user's. Everything is told as it stands today."
    ),
    "GET /v1/profile": Promise(
        "Needs `memories:read`; costs 1 query. The end user's own facts first (`subject_type`"
        " `self`, or about the `user_id` or a declared name), then newest `valid_from` first; at"
        " most 200, `truncated` when there are more. `by_family` holds exactly the facts listed."
    ),
    "POST /v1/users/{user_id}/names": Promise(
        "Needs `memories:write`; free. From then on facts about `name` in this end user's memory,"
        " of that agent, read as theirs, earlier ones included. A name declared before answers as"
        " it did then; one that another end user has here is 409 `conflict`.",
        conflicts=True,
        free=True,
    ),
    "GET /v1/context": Promise(
        "Needs `memories:read`; costs 1 query. `context` is `stable` and `volatile` joined by a"
        " blank line and never takes more than `token_budget` tokens of four characters. `stable`"
        " is the same for every question, `stable_hash` its SHA-256. Recalled text is quoted as"
        " data: its further lines are indented. Nothing to say is an empty block. `as_of`: the"
        " facts that held at that instant, as `GET /v1/facts` has them (an end after it shows as"
        " `until D`), and the memories dated up to it, by their `timestamp`, else by when they were"
        " received; `stable` names its UTC day. `known_as_of`: the facts as they were known then,"
        " and the memories received by then. Both may be given. A forgotten memory is in no block,"
        " and a changed one shows its present text."
    ),
    "GET /v1/export": Promise(
        "Needs `memories:read`; costs 1 query. Lines of JSON, streamed: a header, then memories,"
        " facts and names, each kind oldest first, then an `end` line with their counts, without"
        " which the export was cut short. Live memories, and all facts, ended ones too, as they"
        " were known at `exported_at`. `POST /v1/import` takes it."
    ),
    "POST /v1/import": Promise(
        "Needs `memories:write`; costs 1 write for each memory stored. Lines of JSON as `GET"
        " /v1/export` writes them, up to 64 MiB. Ids and both clocks are restored, texts embedded"
        " again, nothing is extracted or reconciled; of two open facts of a single value the one"
        " that began first ends where the other begins. Memories arrive `ready`, and no webhook is"
        " told of them. What the project has already is `skipped`, so the same file can be sent"
        " again. A bad line fails alone; so does one out of a confined key's reach, past the plan's"
        " agents or the month's writes, or whose source memories are not here. `errors` has the"
        " first 1,000 of them, by line. Lines past the first 1,100,145, more than 64 MiB can say"
        " anything in, are not read and fail as one. A first line that is no header of this format"
        " and version is 422. With nothing stored yet, spent writes are 429."
    ),
    "GET /v1/events": Promise(
        "Needs `memories:read`; free. Newest first; `status` filters before `limit` cuts."
        " `processing` counts all writes of the project, or of `user_id`, still being extracted.",
        free=True,
    ),
    "GET /v1/audit": Promise(
        "Needs `memories:read`; free, and no event itself. Newest first. `since` and `until` are"
        " inclusive instants: `ts` of an event sent back as `until` includes that event. Pages with"
        " such an `until` hold still while events are written. An unknown `action` is an empty"
        " page. `read` tells the ids that a read returned, and is null for every other action."
        " `limit` is 100 when left out.",
        free=True,
    ),
    "GET /v1/users": Promise(
        "Needs `memories:read`; costs 1 query. Most recently active first. Counts are of live"
        " memories and of facts that hold now; users with neither are left out. `agent_id` narrows"
        " what is counted to one agent. `last_active` is the newest write or change of theirs."
    ),
    "DELETE /v1/users/{user_id}/memories": Promise(
        "Needs `memories:write`; free. Physically erases one end user in this project: memories,"
        " forgotten ones too, facts, ended ones too, vectors, names. Nothing of them is readable"
        " afterwards by any read or clock; extraction still under way brings nothing back. The"
        " audit event keeps the counts. An unknown end user is 200 with zeros.",
        free=True,
    ),
    "GET /v1/agents": Promise(
        "Needs `memories:read`; costs 1 query. Most recently active first; a name with only"
        " forgotten memories has zeros. `total` counts the names of this project, `used` those of"
        " the whole account, as the plan's `cap` does (0: none)."
    ),
    "DELETE /v1/agents/{agent_id}": Promise(
        "Needs `memories:write`; free. Physically purges one agent in this project, for every end"
        " user; a confined key is refused. `slot_freed` is false while another project of the"
        " account uses the name, null when the plan has no cap. A name not used here is 404.",
        free=True,
    ),
    "DELETE /v1/agents/init": Promise(
        "As `DELETE /v1/agents/{agent_id}`, for an agent of that name.", free=True
    ),
    "POST /v1/agents/init": Promise(
        "Needs no key. Where the operator has opened sign-up: a new account with a default project"
        " and one read-write key, shown this once, and nobody to log in. A network (an IPv4"
        " address, an IPv6 /64) makes a few accounts a UTC day. `processing_region` of the answer"
        " is null when extraction is local: no text leaves the server.",
        free=True,
    ),
    "DELETE /v1/account": Promise(
        "Needs `memories:write`; free. For accounts that nobody signs in to: deletes every project,"
        " memory, fact, key and log of the account for good, `confirm=true` given. `removed` counts"
        " what there was, by kind. The key is refused from the next request on. 409"
        " `account_has_login` where people sign in, and for an installation's first account; a"
        " confined key is 403.",
        conflicts=True,
        confirmed=True,
        free=True,
    ),
    "GET /admin/projects": Promise(
        "Needs `admin`; free. The default project first, then by name.", free=True
    ),
    "POST /admin/projects": Promise(
        "Needs `admin`; free. A name is unique in the account without regard to case.",
        conflicts=True,
        free=True,
    ),
    "PATCH /admin/projects/{project_id}": Promise(
        "Needs `admin`; free. At least one field. A name is unique in the account without regard"
        " to case.",
        conflicts=True,
        free=True,
    ),
    "POST /admin/projects/{project_id}/archive": Promise(
        "Needs `admin`; free. The project is left out of lists, and no key can be made in it or"
        " moved into it; its data stays. Doing it again changes nothing. The default project, and"
        " one with live keys, cannot be archived.",
        conflicts=True,
        free=True,
    ),
    "POST /admin/projects/{project_id}/unarchive": Promise(
        "Needs `admin`; free. A project in use stays as it is.", free=True
    ),
    "DELETE /admin/projects/{project_id}": Promise(
        "Needs `admin`; free. Its keys and what it holds move to the default project, ids and both"
        " clocks kept; of a single value that joins, the fact that began last stays open. With"
        " `erase` what it holds is physically deleted instead. The default project itself cannot be"
        " deleted; an id that is in both projects is 409 `conflict`, and nothing is moved.",
        conflicts=True,
        free=True,
    ),
    "GET /admin/keys": Promise(
        "Needs `admin`; free. Newest first, revoked ones included. Keys are masked.", free=True
    ),
    "POST /admin/keys": Promise(
        "Needs `admin`; free. `key` is the whole key, shown this once. `project_id` left out is the"
        " caller's project; `scopes` left out are read and write; `users` confines the key to those"
        " end users and excludes the `admin` scope. `expires_in_days`: left out is the"
        " installation's default, null is never, 0 is expired now. A name is unique among live"
        " keys.",
        conflicts=True,
        free=True,
    ),
    "POST /admin/keys/{key_id}/move": Promise(
        "Needs `admin`; free. From its next request on the key sees that project. An archived"
        " project takes no key. The act is audited in both projects.",
        conflicts=True,
        free=True,
    ),
    "POST /admin/keys/{key_id}/rotate": Promise(
        "Needs `admin`; free. Answers a new key, shown this once, with the name, scopes, end users,"
        " project and expiry of a live one. The old key is renamed and works for `overlap_seconds`"
        " more (a day when left out, 30 days at most), never past its own expiry; 0 revokes it at"
        " once. A key is rotated once: then rotate the one that replaced it.",
        conflicts=True,
        free=True,
    ),
    "POST /admin/keys/{key_id}/revoke": Promise(
        "Needs `admin`; free. Works on the key's next request; doing it again changes nothing. The"
        " account's last live admin key cannot be revoked.",
        conflicts=True,
        free=True,
    ),
    "GET /admin/webhooks": Promise(
        "Needs `admin`; free. Newest first, without their secrets.", free=True
    ),
    "POST /admin/webhooks": Promise(
        "Needs `admin`; free. `url` is a public `https` address, without credentials: one that is"
        " or leads to a private or special address is refused here, and again at each delivery."
        " `events` left out is every event, now and to come; `project_id` left out is the whole"
        " account. `secret` is shown this once; deliveries are signed with it by Standard Webhooks."
        " At most 100 webhooks a project, and 100 of the whole account.",
        conflicts=True,
        free=True,
    ),
    "PATCH /admin/webhooks/{webhook_id}": Promise(
        "Needs `admin`; free. At least one field. With `enabled` false nothing more is sent, and"
        " what waited is given up; with true its failures are forgotten.",
        free=True,
    ),
    "DELETE /admin/webhooks/{webhook_id}": Promise(
        "Needs `admin`; free. Nothing more is sent.", free=True
    ),
    "POST /admin/webhooks/{webhook_id}/rotate-secret": Promise(
        "Needs `admin`; free. `secret` is the new one, shown this once. Deliveries are signed"
        " with the one before too, for 24 hours.",
        free=True,
    ),
    "POST /admin/webhooks/{webhook_id}/test": Promise(
        "Needs `admin`; free. A `webhook.test` is delivered soon, whatever the webhook's events."
        " `message_id` is its `webhook-id`. A disabled webhook is 409 `conflict`.",
        conflicts=True,
        free=True,
    ),
    "GET /admin/webhooks/{webhook_id}/deliveries": Promise(
        "Needs `admin`; free. Newest first. A failed try is repeated after 5 s, 5 min, 30 min, 2 h,"
        " 5 h, 10 h and 10 h, with the same `webhook-id`; then the delivery is `dead`. Deliveries"
        " that ended are kept for a time that the operator sets. `state` left out is every one.",
        free=True,
    ),
    "POST /admin/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver": Promise(
        "Needs `admin`; free. The event is sent again, with the same `webhook-id` and the same"
        " bytes, at once and with all its tries before it: `attempts` counts anew. Whatever became"
        " of it; one that is being tried at this moment goes on as it is. A disabled webhook is 409"
        " `conflict`, and so is an event whose end user was erased since.",
        conflicts=True,
        free=True,
    ),
}
