"""Talks to a pod as users of OpenAI's Python SDK do. One word says what; the result is one line of JSON.

Arguments: base URL, then what: models | whole | stream | leave | error | refused.
"""

import json
import sys

import openai


def facts(of):
    return (of.model_extra or {}).get("ragjourney")


def whole(client):
    answer = client.chat.completions.create(
        model="faq",
        user="ann",
        messages=[
            {"role": "system", "content": "Talk like a pirate."},
            {"role": "user", "content": "What is ice?"},
            {"role": "assistant", "content": "Frozen water."},
            {"role": "user", "content": [{"type": "text", "text": "When does it boil?"}]},
        ],
    )
    choice = answer.choices[0]
    return {
        "content": choice.message.content,
        "finish": choice.finish_reason,
        "tokens": answer.usage.total_tokens,
        "facts": facts(answer),
    }


def stream(client):
    content, finish, tokens, last = "", None, None, None
    for chunk in client.chat.completions.create(
        model="faq",
        messages=[{"role": "user", "content": "When does water boil?"}],
        stream=True,
        stream_options={"include_usage": True},
    ):
        for choice in chunk.choices:
            content += choice.delta.content or ""
            finish = choice.finish_reason or finish
        tokens = chunk.usage.total_tokens if chunk.usage else tokens
        last = facts(chunk) or last
    return {"content": content, "finish": finish, "tokens": tokens, "facts": last}


def leave(client):
    """Closes the stream after its first piece of content."""
    with client.chat.completions.create(
        model="faq", messages=[{"role": "user", "content": "q"}], stream=True
    ) as chunks:
        for chunk in chunks:
            if chunk.choices and chunk.choices[0].delta.content:
                return {"content": chunk.choices[0].delta.content}
    return {}


def error(client, **more):
    try:
        client.chat.completions.create(
            **{"model": "faq", "messages": [{"role": "user", "content": "q"}], **more}
        )
    except openai.APIStatusError as e:
        return {
            "class": type(e).__name__,
            "status": e.status_code,
            "code": e.code,
            "param": e.param,
            "type": e.type,
            "retryAfter": e.response.headers.get("retry-after"),
        }
    return {}


def main():
    client = openai.OpenAI(base_url=sys.argv[1], api_key="any", max_retries=0, timeout=20)
    results = {
        "models": lambda: [model.id for model in client.models.list()]
        + [client.models.retrieve("faq").owned_by],
        "whole": lambda: whole(client),
        "stream": lambda: stream(client),
        "leave": lambda: leave(client),
        "error": lambda: error(client),
        "refused": lambda: [error(client, n=2), error(client, model="gpt-4o")],
    }
    print(json.dumps(results[sys.argv[2]]()))


if __name__ == "__main__":
    main()
