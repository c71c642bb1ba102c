package dev.ragjourney.support.kubernetes;

/**
 * Where an object is kept.
 *
 * @param namespace empty for cluster-wide kinds
 */
record ObjectKey(ResourceType type, String namespace, String name) {}
