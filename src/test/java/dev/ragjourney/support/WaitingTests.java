package dev.ragjourney.support;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A condition that a test waits for and that throws is not met yet, in every test: the figure is
 * not there, the object not written. What it last threw is the cause of the failure when the time
 * is over.
 */
public final class WaitingTests implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.ignoreExceptionsByDefault();
  }
}
