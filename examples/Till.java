// A till that takes a payment over Tillbeacon's HTTP API, in Java 17 or newer without libraries.
// usage: TILL_TOKEN=tbt_… java Till.java 12.50
import java.io.IOException;
import java.math.BigDecimal;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

public class Till {
  static final Map<String, String> env = System.getenv();
  static final String url = env.getOrDefault("TILL_URL", "http://127.0.0.1:4182");
  static final String currency = env.getOrDefault("TILL_CURRENCY", "DKK");
  static final Path kept = Path.of("till-payment.txt");
  // Calls to this computer do not go through a proxy.
  static final HttpClient http =
      HttpClient.newBuilder().proxy(ProxySelector.of(null)).version(HttpClient.Version.HTTP_1_1).build();
  static volatile boolean mayHaveBegun = Files.exists(kept);

  /** A field of the answer's first level, as text. A till with a JSON library uses that instead. */
  static String field(String answer, String name) {
    var match =
        Pattern.compile("\"" + name + "\":(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(-?\\d+))").matcher(answer);
    return !match.find() ? "" : match.group(1) != null ? match.group(1) : match.group(2);
  }

  static String call(String method, String path, String key, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(url + "/v1" + path))
            .timeout(Duration.ofSeconds(60))
            .header("Authorization", "Bearer " + env.get("TILL_TOKEN"))
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (key != null) request.header("Idempotency-Key", key);
    while (true) {
      try {
        var response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        var answer = response.body();
        if (response.statusCode() / 100 == 2) return answer;
        // Refused: what it means for the money, and what to do. Only the key of a payment that
        // cannot have begun may go.
        if (response.statusCode() / 100 == 4) {
          if (!mayHaveBegun) Files.delete(kept);
          throw new IllegalStateException(
              field(answer, "title") + ". " + field(answer, "money") + " " + field(answer, "action"));
        }
      } catch (IOException noAnswer) {
        // As below.
      }
      // No answer, or not now: the same request with the same key is never a second payment.
      mayHaveBegun = true;
      Thread.sleep(1000);
    }
  }

  /** 12.50 as 1250, and nothing that is not an amount. */
  static long amountMinor(String[] arguments) {
    var text = arguments.length == 0 ? "" : arguments[0];
    if (text.matches("[0-9]{1,6}(\\.[0-9]{1,2})?")) {
      var minor = new BigDecimal(text).movePointRight(2).longValueExact();
      if (minor > 0) return minor;
    }
    throw new IllegalArgumentException("usage: java Till.java 12.50");
  }

  static void pay(String[] arguments) throws Exception {
    // The key is on disk before the first request: whatever happens to this program, the next start
    // asks for the same payment.
    if (mayHaveBegun)
      System.out.println(
          "Takes up the payment that was begun before. An amount given now does not count.");
    else
      Files.writeString(
          kept,
          UUID.randomUUID() + " " + amountMinor(arguments),
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.WRITE,
          StandardOpenOption.SYNC);
    var saved = Files.readString(kept).trim().split(" ");
    var key = saved[0];

    var begin = "{\"amountMinor\":" + saved[1] + ",\"currency\":\"" + currency + "\"}";
    var payment = call("POST", "/payments", key, begin);
    mayHaveBegun = true;
    var path = "/payments/" + field(payment, "paymentId");
    System.out.println(
        BigDecimal.valueOf(Long.parseLong(saved[1]), 2)
            + " " + currency + ": please scan the code. Ctrl+C cancels.");
    var cancelling = new Thread(() -> cancel(path, key));
    Runtime.getRuntime().addShutdownHook(cancelling);

    while (field(payment, "status").equals("pending"))
      payment = call("GET", path + "?wait=30", null, null);
    Runtime.getRuntime().removeShutdownHook(cancelling);
    finish(payment);
  }

  /** Ctrl+C: the program ends once it is known what became of the payment. */
  static void cancel(String path, String key) {
    try {
      var payment = call("POST", path + "/cancel", key, "{}");
      while (field(payment, "status").equals("pending"))
        payment = call("GET", path + "?wait=30", null, null);
      finish(payment);
    } catch (Exception error) {
      System.err.println(error.getMessage());
    }
  }

  static synchronized void finish(String payment) throws IOException {
    System.out.println(
        field(payment, "status").equals("paid")
            ? "Paid. Receipt " + field(payment, "receiptNumber") + "."
            : "Not paid: " + field(payment, "reason") + ".");
    Files.deleteIfExists(kept);
  }

  public static void main(String[] arguments) {
    try {
      pay(arguments);
    } catch (Exception error) {
      System.err.println(error.getMessage());
      System.exit(1);
    }
  }
}
