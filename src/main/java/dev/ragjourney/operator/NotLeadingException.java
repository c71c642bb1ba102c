package dev.ragjourney.operator;

import io.fabric8.kubernetes.client.KubernetesClientException;

/** A write that this operator may not make any more. */
final class NotLeadingException extends KubernetesClientException {
  private static final long serialVersionUID = 1;

  NotLeadingException() {
    super("another operator may lead; nothing is written");
  }
}
