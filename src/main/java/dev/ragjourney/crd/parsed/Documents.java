package dev.ragjourney.crd.parsed;

/** Where the documents of the embedded search are. */
public sealed interface Documents {
  /** A ConfigMap, one file a key. */
  record FromConfigMap(String name) implements Documents {}

  /** The volume of a claim. */
  record FromClaim(String claimName) implements Documents {}
}
