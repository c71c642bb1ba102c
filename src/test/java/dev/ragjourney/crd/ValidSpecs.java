package dev.ragjourney.crd;

import static dev.ragjourney.crd.SpecCase.valid;

import java.util.List;

/** Specs that the reader and the API server take. */
final class ValidSpecs {
  private ValidSpecs() {}

  static List<SpecCase> all() {
    return List.of(
        valid(
            "the smallest manifest is enough",
            "{budget: {total: 3s}, documents: {configMap: {name: faq-documents}}}"),
        valid(
                "the longest name of a journey has 45 characters",
                "{budget: {total: 3s}, documents: {configMap: {name: d}}}")
            .named("a" + "b".repeat(44)),
        valid(
            "a budget of 50ms is the shortest",
            "{budget: {total: 50ms}, documents: {configMap: {name: d}}}"),
        valid(
            "a budget of 10m is the longest",
            "{budget: {total: 10m}, documents: {configMap: {name: d}}}"),
        valid(
            "a zero reserve is allowed",
            "{budget: {total: 3s, reserve: 0s}, documents: {configMap: {name: d}}}"),
        valid(
            "documents may come from a claim",
            "{budget: {total: 3s}, documents: {persistentVolumeClaim: {claimName: corpus}}}"),
        valid(
            "no documents are needed where every search has a backend of its own",
            """
            budget: {total: 3s}
            stages:
            - {name: search, type: Search, backend: mine}
            - {name: generate, type: Generate}
            backends:
            - {name: mine, http: {url: "http://search.example/"}}
            """),
        valid(
            "every stage and level of the lesson can be declared",
            """
            budget: {total: 8s, countTo: FirstToken, reserve: 50ms, lastTokenMargin: 200ms, streamIdle: 30s, streamMax: 5m}
            objective: {missRatio: 1%, degradedRatio: 10%}
            enforcement: Enforce
            documents: {persistentVolumeClaim: {claimName: corpus}}
            stages:
            - name: rewrite
              type: Rewrite
              optional: true
              expected: {p50: 150ms, p95: 250ms}
              degradeAfter: 300ms
              cap: 400ms
              capRange: {min: 100ms, max: 1s}
              backend: small-llm
              prompt: {instructions: "Rewrite the question for a search."}
            - name: embed
              type: Embed
            - name: search
              type: Search
              cap: 1s
              topK: 10
              fallback: {mode: Keyword, cap: 500ms, minRemaining: 300ms, maxRatio: 10%, cancelPrimary: false}
              retry: {attemptCaps: [500ms, 300ms], backoff: {min: 80ms, max: 180ms}, maxRatio: 20%}
              hedge: {after: 250ms, maxConcurrent: 4, maxRatio: 5%}
            - name: rerank
              type: Rerank
              optional: true
              cap: 700ms
              topK: 5
              breaker: {slowRatio: 50%, errorRatio: 0.5%, window: 20, probeAfter: 10s}
              backend: reranker
            - name: generate
              type: Generate
              floor: 1s500ms
              backend: big-llm
              fallback: {backend: small-llm}
              prompt: {instructions: "Answer from the context.", noContextInstructions: "Say so."}
              maxContextTokens: 3000
              maxTokens: 500
              whenNoContext: Tell
            fallbackLevels:
            - {name: full, minRemaining: 5s, stages: [{name: generate, minRemaining: 4s}]}
            - {name: fast, minRemaining: 3s, topK: 5, skip: [rerank], stages: [{name: generate, minRemaining: 4s}]}
            - {name: minimal, minRemaining: 1s500ms, topK: 3, skip: [rewrite, rerank], stages: [{name: generate, backend: small-llm, maxTokens: 150, floor: 600ms}]}
            - {name: sorry, answer: Static, message: "Try again in a moment."}
            backends:
            - {name: big-llm, labels: {provider: openai, region: eu}, openai: {url: "https://llm.example/v1", model: gpt-4o, apiKey: {secretKeyRef: {name: llm, key: token}}, reasoningEffort: minimal}}
            - {name: small-llm, connectTimeout: 300ms, maxConcurrent: 20, headers: [{name: x-tenant, value: faq}, {name: x-key, valueFrom: {secretKeyRef: {name: llm, key: extra}}}], openai: {url: "https://llm.example/v1", model: small, temperature: "0.2", maxTokens: 300}}
            - {name: reranker, tls: {ca: {secretKeyRef: {name: ca, key: ca.crt}}}, rerank: {url: "https://rerank.example/v2/rerank", style: Cohere, model: rerank-v3.5, apiKey: {secretKeyRef: {name: rerank, key: token}}}}
            rebalance: {mode: Auto, rule: P95Headroom, interval: 5m, window: 30m, headroom: 20%, minSamples: 100, maxStep: {up: 50%, down: 20%}, deadBand: 5%, cooldown: 10m, maxMovesPerHour: 6, lateSampling: 0.5%}
            workload:
              replicas: 3
              image: registry.example/ragjourney:1
              imagePullSecrets: [{name: pull}]
              resources: {requests: {cpu: 100m, memory: 512Mi}, limits: {memory: 1Gi}}
              serviceAccount: {annotations: {example.com/role: reader}}
              podTemplate:
                labels: {team: search}
                annotations: {example.com/note: hello}
                nodeSelector: {disk: ssd}
                tolerations: [{key: gpu, operator: Exists}]
                affinity: {nodeAffinity: {}}
                topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]
                env: [{name: LOG_LEVEL, value: debug}]
                priorityClassName: high
            monitoring: {podMonitor: Auto, rules: Never}
            """),
        valid(
            "levels may skip default stages by their names",
            """
            budget: {total: 3s}
            documents: {configMap: {name: d}}
            fallbackLevels:
            - {name: full, minRemaining: 1s500ms}
            - {name: fast, minRemaining: 1s, skip: [embed, rerank], stages: [{name: search, topK: 3}]}
            - {name: sorry, answer: Static, message: later}
            """),
        valid(
            "a text-embeddings-inference server can embed and rerank",
            """
            budget: {total: 3s}
            documents: {configMap: {name: d}}
            stages:
            - {name: embed, type: Embed, backend: tei}
            - {name: search, type: Search}
            - {name: rerank, type: Rerank, optional: true, backend: tei}
            - {name: generate, type: Generate}
            backends:
            - {name: tei, tei: {url: "http://tei.example:8080", truncate: true}}
            """),
        valid(
            "deployments of Azure OpenAI can rewrite, embed and generate",
            """
            budget: {total: 8s}
            documents: {configMap: {name: d}}
            stages:
            - {name: rewrite, type: Rewrite, optional: true, backend: llm}
            - {name: embed, type: Embed, backend: vectors}
            - {name: search, type: Search}
            - {name: generate, type: Generate, backend: llm}
            backends:
            - name: llm
              azureOpenai:
                endpoint: "https://r.openai.azure.com"
                deployment: big
                apiVersion: 2024-10-21
                apiKey: {secretKeyRef: {name: azure, key: key}}
                workloadIdentity: false
            - name: vectors
              azureOpenai:
                endpoint: "https://r.openai.azure.com/openai/v1"
                deployment: vectors
                apiKey: {secretKeyRef: {name: azure, key: key}}
                dimensions: 384
            """),
        valid(
            "a vector store searches after an Embed, wider or narrower by level, or not at all",
            """
            budget: {total: 3s}
            documents: {configMap: {name: d}}
            stages:
            - {name: embed, type: Embed, backend: tei}
            - {name: search, type: Search, backend: docs, fallback: {backend: embedded, mode: Keyword}}
            - {name: generate, type: Generate}
            fallbackLevels:
            - {name: full, minRemaining: 1s500ms}
            - {name: fast, minRemaining: 1s, topK: 3, stages: [{name: search, ef: 40}]}
            - {name: words, minRemaining: 700ms, skip: [embed], stages: [{name: search, backend: embedded}]}
            - {name: none, minRemaining: 500ms, skip: [embed, search]}
            - {name: sorry, answer: Static, message: later}
            backends:
            - {name: tei, tei: {url: "http://tei.example:8080"}}
            - {name: docs, qdrant: {url: "http://qdrant.example:6333", collection: handbook, contentField: doc.text, titleField: doc.title, vectorField: dense, ef: 128, apiKey: {secretKeyRef: {name: qdrant, key: token}}}}
            """),
        valid(
            "a vector store may stand in for the embedded index after an Embed",
            """
            budget: {total: 3s}
            documents: {configMap: {name: d}}
            stages:
            - {name: embed, type: Embed}
            - {name: search, type: Search, speculative: Keyword, fallback: {backend: docs}}
            - {name: generate, type: Generate}
            backends:
            - {name: docs, qdrant: {url: "http://qdrant.example:6333", collection: handbook}}
            """),
        valid(
            "an index of Azure AI Search needs no documents, and its ranker 300ms more than it waits",
            """
            budget: {total: 8s}
            stages:
            - {name: embed, type: Embed}
            - name: search
              type: Search
              backend: docs
              cap: 1s200ms
              capRange: {min: 1s200ms, max: 2s}
              speculative: Keyword
              fallback: {mode: Keyword, cap: 400ms}
            - {name: generate, type: Generate, backend: llm}
            backends:
            - name: docs
              azureSearch:
                endpoint: "https://s.search.windows.net"
                index: library
                apiKey: {secretKeyRef: {name: azure, key: search}}
                idField: chunk_id
                contentField: chunk
                titleField: title
                vectorField: text_vector
                semanticConfiguration: default
                rankerMaxWait: 900ms
            - {name: llm, openai: {url: "http://llm.example/v1", model: m}}
            """),
        valid(
            "an index that is not ranked may have any cap",
            """
            budget: {total: 8s}
            stages:
            - {name: search, type: Search, backend: docs, cap: 200ms, capRange: {min: 100ms}}
            - {name: generate, type: Generate, backend: llm}
            backends:
            - {name: docs, azureSearch: {endpoint: "https://s.search.windows.net", index: library}}
            - {name: llm, openai: {url: "http://llm.example/v1", model: m}}
            """),
        valid(
            "a deployment of Azure OpenAI may be called with the pod's own identity",
            """
            budget: {total: 8s}
            documents: {configMap: {name: d}}
            stages:
            - {name: search, type: Search}
            - {name: generate, type: Generate, backend: llm}
            backends:
            - {name: llm, azureOpenai: {endpoint: "https://r.openai.azure.com", deployment: big, workloadIdentity: true}}
            workload:
              serviceAccount: {annotations: {azure.workload.identity/client-id: 11111111-2222-3333-4444-555555555555}}
              podTemplate: {labels: {azure.workload.identity/use: "true"}}
            """),
        valid(
            "a cache is filled by the default level that leaves an optional tool out",
            """
            budget: {total: 8s}
            documents: {configMap: {name: d}}
            stages:
            - {name: search, type: Search}
            - {name: news, type: Tool, backend: news, optional: true}
            - {name: generate, type: Generate}
            backends:
            - {name: news, http: {url: "http://news.example/"}}
            semanticCache: {}
            """),
        valid(
            "a cache is filled by the second level that leaves the tools out",
            """
            budget: {total: 8s}
            documents: {configMap: {name: d}}
            stages:
            - {name: search, type: Search}
            - {name: news, type: Tool, backend: news}
            - {name: generate, type: Generate}
            backends:
            - {name: news, http: {url: "http://news.example/"}}
            semanticCache: {}
            fallbackLevels:
            - {name: full, minRemaining: 5s}
            - {name: plain, minRemaining: 4s, skip: [news]}
            - {name: cached, answer: SemanticCache}
            - {name: sorry, answer: Static, message: later}
            """),
        valid(
            "neighbours of one group run side by side",
            """
            budget: {total: 3s}
            documents: {configMap: {name: d}}
            stages:
            - {name: rewrite, type: Rewrite, optional: true, backend: llm, parallel: ready}
            - {name: embed, type: Embed, parallel: ready}
            - {name: handbook, type: Search, parallel: look-up, speculative: Keyword}
            - {name: tickets, type: Search, backend: mine, parallel: look-up}
            - {name: rerank, type: Rerank, optional: true}
            - {name: generate, type: Generate}
            backends:
            - {name: llm, openai: {url: "http://llm.example/v1", model: m}}
            - {name: mine, http: {url: "http://search.example/"}}
            """));
  }
}
