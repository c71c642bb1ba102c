package dev.ragjourney.backends.http;

import dev.ragjourney.pipeline.BackendException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Trusts the certificates of one mounted PEM file, and follows the file when it is rotated. */
final class Trust extends X509ExtendedTrustManager {
  private record Loaded(String pem, X509ExtendedTrustManager manager) {}

  private final MountedFile file;
  private volatile @Nullable Loaded loaded;

  Trust(MountedFile file) {
    this.file = file;
  }

  SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {this}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no TLS", e);
    }
  }

  /**
   * Takes the file's present content; before every call, so that a handshake finds it loaded.
   *
   * @param nowNanos monotonic
   */
  void refresh(long nowNanos) throws BackendException {
    String pem = file.text(nowNanos);
    Loaded known = loaded;
    if (known == null || !known.pem.equals(pem)) {
      loaded = new Loaded(pem, manager(pem));
    }
  }

  private X509ExtendedTrustManager manager(String pem) throws BackendException {
    try {
      Collection<? extends Certificate> certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
      if (certificates.isEmpty()) {
        throw file.notReady("holds no PEM certificate");
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (Certificate certificate : certificates) {
        store.setCertificateEntry("ca-" + number++, certificate);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509ExtendedTrustManager extended) {
          return extended;
        }
      }
      throw new IllegalStateException("this JDK has no X.509 trust manager");
    } catch (CertificateException e) {
      throw file.notReady("holds no PEM certificate");
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JDK cannot hold certificates", e);
    }
  }

  private X509ExtendedTrustManager current() throws CertificateException {
    Loaded known = loaded;
    if (known == null) {
      throw new CertificateException("no certificate to trust was loaded");
    }
    return known.manager;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    current().checkServerTrusted(chain, authType, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    current().checkServerTrusted(chain, authType, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    current().checkServerTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw clientsAreNotServed();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw clientsAreNotServed();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw clientsAreNotServed();
  }

  private static CertificateException clientsAreNotServed() {
    return new CertificateException("this is a client's trust: it judges servers only");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    Loaded known = loaded;
    return known == null ? new X509Certificate[0] : known.manager.getAcceptedIssuers();
  }
}
