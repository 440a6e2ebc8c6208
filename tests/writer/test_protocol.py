"""What is sent to a language model, and what its failures come to."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from facts.extraction.writer import WriterUnavailable, least_tokens
from facts.extraction.writer.asking import SCHEMA, most_tokens
from korely.kernel.outbound import Bounds, NoAnswer, exchange
from tests.api_client import wait_for
from tests.webhooks.certificates import write_certificate
from tests.writer import model as models
from tests.writer.conftest import KEY, Purse, Reader
from tests.writer.model import Act, Model, completion, fact, modelling, send, states

Make = Callable[..., Reader]

TEXT = "I live in Rome."
ROME = fact("I live in Rome", "user", "lives_in", "Rome")


def fails(make: Make, model: Model | str, **patience: float | Purse) -> WriterUnavailable:
    with pytest.raises(WriterUnavailable) as failed:
        make(model, **patience)(TEXT)
    return failed.value


def reads(make: Make, model: Model, **patience: float) -> Reader:
    reader = make(model, **patience)
    (found,) = reader(TEXT)
    assert (found.subject, found.predicate, found.object) == ("ana", "lives_in", "Rome")
    return reader


def test_a_request_is_a_chat_completion_with_our_schema_and_nothing_of_whose_it_is(
    reader: Make,
) -> None:
    with modelling(states(ROME)) as model:
        make = reader(model)
        assert make(TEXT, user_id="user-4711", names=("Maria Rossi",))
        (request,) = model.got
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"
    body = request.body
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "facts", "strict": True, "schema": SCHEMA},
    }
    assert (body["model"], body["temperature"]) == ("small", 0)
    assert isinstance(body["seed"], int)
    assert body["max_tokens"] > 0
    assert request.said == {"said_at": "2026-05-10T09:00+00:00", "text": TEXT}
    sent = request.raw.decode()
    assert not any(word in sent for word in ("4711", "Maria", "Rossi", KEY))


def test_the_schema_is_one_that_strict_mode_takes() -> None:
    entry = SCHEMA["properties"]["facts"]["items"]
    for shape in (SCHEMA, entry):
        assert shape["additionalProperties"] is False
        assert set(shape["required"]) == set(shape["properties"])


def test_an_answer_in_chunks_is_read(reader: Make) -> None:
    with modelling(models.chunked(ROME)) as model:
        reads(reader, model)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (send(200, b"not json"), "unusable"),
        (send(200, b"[" * 100_000), "unusable"),
        (send(200, b'{"choices": []}'), "unusable"),
        (send(200, b'{"choices": [{"message": {"content": null, "refusal": "no"}}]}'), "unusable"),
        (send(200, completion("I'm sorry, I can't.")), "unusable"),
        (send(200, completion('{"facts": [{"quote": "I li')), "unusable"),  # cut off
        (send(200, completion('{"facts": {}}')), "unusable"),
        (send(200, completion('["facts"]')), "unusable"),
        (send(200, b"\xff\xfe"), "unusable"),
        (send(400, b"{}"), "refused"),
        (send(401, b"{}"), "refused"),
        (send(404, b"<html>"), "refused"),
        (send(302, b"", location="http://127.0.0.1:9/"), "refused"),
        (send(429, b"{}"), "overloaded"),
        (send(500, b"{}"), "overloaded"),
        (send(503, b"{}"), "overloaded"),
        (send(200, b" " * 1_100_000), "no_answer"),
        (send(200, b"", x="y" * 300_000), "no_answer"),
        (models.close, "no_answer"),
        (models.close_in_the_middle, "no_answer"),
        (models.not_http, "no_answer"),
    ],
)  # fmt: skip
def test_every_failure_is_told_by_a_fixed_word(reader: Make, act: Act, reason: str) -> None:
    with modelling(otherwise=act) as model:
        failure = fails(reader, model)
        assert failure.reason == reason
        assert TEXT not in str(failure)
        assert KEY not in str(failure)
        assert len(model.got) == 1


def test_nobody_listening_and_no_such_name_are_no_answer(reader: Make) -> None:
    with modelling() as model:
        away = model.url
    assert fails(reader, away).detail == "the connection was refused"
    assert fails(reader, "http://nowhere.invalid/v1").detail == "the name does not resolve"


@pytest.mark.parametrize("act", [models.hang, models.drip_head, models.drip_body])
def test_whatever_a_service_does_with_its_time_the_whole_of_it_is_bounded(
    reader: Make, act: Act
) -> None:
    with modelling(otherwise=act) as model:
        began = time.monotonic()
        failure = fails(reader, model, total=0.8, silence=0.5, tries=3)
        assert failure.reason == "no_answer"
        assert failure.detail == "no answer in time"
        assert time.monotonic() - began < 2


def test_a_silent_service_is_given_up_before_the_whole_time(reader: Make) -> None:
    with modelling(otherwise=models.hang) as model:
        began = time.monotonic()
        assert fails(reader, model, total=30, silence=0.3).detail == "no answer in time"
        assert time.monotonic() - began < 3


@pytest.mark.parametrize("act", [send(500, b"{}"), send(429, b"{}"), models.close])
def test_what_may_pass_is_tried_again_after_a_growing_wait(reader: Make, act: Act) -> None:
    with modelling(act, act, states(ROME)) as model:
        reads(reader, model, tries=3)
        first, second, third = (request.at for request in model.got)
        assert 0.25 <= second - first < third - second + 0.3
        assert third - second >= 0.5
        assert len({request.raw for request in model.got}) == 1


def test_what_does_not_pass_is_not_tried_again(reader: Make) -> None:
    for act in (send(400, b"{}"), send(401, b"{}"), send(200, b"{}")):
        with modelling(act, states(ROME)) as model:
            fails(reader, model, tries=3)
            assert len(model.got) == 1


def test_retry_after_is_waited_for_in_either_form_if_the_time_allows(reader: Make) -> None:
    with modelling(send(429, b"{}", retry_after="1"), states(ROME)) as model:
        reads(reader, model, tries=2)
        assert model.got[1].at - model.got[0].at >= 1
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=2))
    with modelling(send(503, b"{}", retry_after=soon), states(ROME)) as model:
        reads(reader, model, tries=2)
        assert model.got[1].at - model.got[0].at >= 0.8
    for late in ("3600", "9" * 40, "soon", "Mon, 99 Foo"):
        with modelling(send(429, b"{}", retry_after=late), states(ROME)) as model:
            if late.isdigit():
                began = time.monotonic()
                assert fails(reader, model, tries=2, total=3).reason == "overloaded"
                assert time.monotonic() - began < 1
            else:
                reads(reader, model, tries=2)


def test_a_redirect_is_not_followed(reader: Make) -> None:
    with modelling() as other, modelling(send(307, b"", location=other.url)) as model:
        assert fails(reader, model).detail == "status 307"
        assert other.got == []


def test_a_service_that_fails_on_and_on_is_left_alone_and_then_tried_by_one(reader: Make) -> None:
    with modelling(*[send(500, b"{}")] * 3, otherwise=states(ROME)) as model:
        make = reader(model, failures=2, rest=0.6)
        for _ in range(2):
            with pytest.raises(WriterUnavailable, match="overloaded"):
                make(TEXT)
        for _ in range(5):
            with pytest.raises(WriterUnavailable, match="resting") as resting:
                make(TEXT)
            assert 0 < resting.value.seconds <= 0.6
        assert len(model.got) == 2

        def probed() -> bool:
            with pytest.raises(WriterUnavailable):
                make(TEXT)
            return len(model.got) == 3

        wait_for("a probe", probed, 5)  # it fails: the rest begins anew
        with pytest.raises(WriterUnavailable, match="resting"):
            make(TEXT)
        assert len(model.got) == 3

        def healed() -> bool:
            try:
                return bool(make(TEXT))
            except WriterUnavailable:
                return False

        wait_for("the service to be used again", healed, 5)
        assert make(TEXT)
        assert len(model.got) == 5


@pytest.mark.parametrize("act", [send(200, completion("no")), send(400, b"{}"), send(422, b"{}")])
def test_a_failure_of_one_text_opens_no_breaker(reader: Make, act: Act) -> None:
    with modelling(otherwise=act) as model:
        make = reader(model, failures=1)
        for _ in range(3):
            with pytest.raises(WriterUnavailable) as failed:
                make(TEXT)
            assert failed.value.seconds == 0
        assert len(model.got) == 3


def test_the_failure_that_opens_the_breaker_says_for_how_long(reader: Make) -> None:
    with modelling(otherwise=send(401, b"{}")) as model:
        make = reader(model, failures=2, rest=30)
        rests = []
        for _ in range(2):
            with pytest.raises(WriterUnavailable, match="refused") as failed:
                make(TEXT)
            rests.append(failed.value.seconds)
        assert rests[0] == 0
        assert 29 < rests[1] <= 30


def test_tokens_are_taken_at_their_most_and_settled_at_what_was_used(reader: Make) -> None:
    with modelling(states(ROME, tokens=321)) as model:
        made = reads(reader, model)
        assert (made.purse.open, made.purse.settled) == ([], [321])
        most = most_tokens(model.got[0].raw)
    with modelling(states(ROME, tokens=None)) as model:  # tells nothing: counted at the most
        assert reads(reader, model).purse.open == [most]
    for told in (10**30, -5, 0):
        with modelling(states(ROME, tokens=told)) as model:
            purse = reads(reader, model).purse
            assert purse.left == 1_000_000 - most


@pytest.mark.parametrize(
    ("act", "kept"),
    [
        (send(500, b"{}"), False),
        (send(400, b"{}"), False),
        (models.close, True),  # it may have been worked on
        (models.hang, True),
        (send(200, b"not json"), True),
    ],
)
def test_a_try_that_failed_costs_nothing_unless_it_may_have_been_worked_on(
    reader: Make, act: Act, *, kept: bool
) -> None:
    purse = Purse()
    with modelling(otherwise=act) as model:
        fails(reader, model, purse=purse, silence=0.3)
    assert (purse.left < 1_000_000) is kept


def test_without_tokens_nothing_is_sent(reader: Make) -> None:
    with modelling(states(ROME)) as model:
        made = reader(model)
        least = least_tokens(made.engine.endpoint)
        assert fails(reader, model, purse=Purse(left=least)).reason == "budget"
        assert model.got == []
        assert reader(model, purse=Purse(left=least + 100))(TEXT)


def test_the_key_is_not_in_what_an_endpoint_looks_like(reader: Make) -> None:
    with modelling() as model:
        assert KEY not in repr(reader(model).engine.endpoint)


def test_a_service_with_an_untrusted_certificate_gets_no_text(tmp_path: Path) -> None:
    path = tmp_path / "self-signed.pem"
    write_certificate(path, "localhost", ec.generate_private_key(ec.SECP256R1()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    got: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            link, _ = server.accept()
            with suppress(OSError), context.wrap_socket(link, server_side=True) as secure:
                got.append(secure.recv(10_000))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        url = f"https://localhost:{server.getsockname()[1]}/v1"
        with pytest.raises(NoAnswer, match="certificate") as failed:
            exchange(url, body=b"text", headers={}, bounds=Bounds(5, 5, 5, 1000))
        thread.join(5)
    assert failed.value.taken is False
    assert not any(got)
