// A till that takes a payment over Tillbeacon's HTTP API, in C# with .NET 10 without packages.
// usage: TILL_TOKEN=tbt_… dotnet run Till.cs 12.50
using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

var url = Environment.GetEnvironmentVariable("TILL_URL") ?? "http://127.0.0.1:4182";
var currency = Environment.GetEnvironmentVariable("TILL_CURRENCY") ?? "DKK";
const string kept = "till-payment.json";
var mayHaveBegun = File.Exists(kept);
// Calls to this computer do not go through a proxy.
using var http = new HttpClient(new HttpClientHandler { UseProxy = false, AllowAutoRedirect = false })
{
  Timeout = TimeSpan.FromSeconds(60),
};
http.DefaultRequestHeaders.Authorization =
  new AuthenticationHeaderValue("Bearer", Environment.GetEnvironmentVariable("TILL_TOKEN"));

async Task<JsonNode> Call(HttpMethod method, string path, string? key = null, string? body = null)
{
  while (true)
  {
    try
    {
      using var request = new HttpRequestMessage(method, $"{url}/v1{path}");
      if (key is not null) request.Headers.Add("Idempotency-Key", key);
      if (body is not null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
      using var response = await http.SendAsync(request);
      var answer = JsonNode.Parse(await response.Content.ReadAsStringAsync())!;
      if (response.IsSuccessStatusCode) return answer;
      // Refused: what it means for the money, and what to do. Only the key of a payment that cannot
      // have begun may go.
      if ((int)response.StatusCode < 500)
      {
        if (!mayHaveBegun) File.Delete(kept);
        Console.Error.WriteLine($"{answer["title"]}. {answer["money"]} {answer["action"]}");
        Environment.Exit(1);
      }
    }
    catch (Exception error) when (error is HttpRequestException or TaskCanceledException or System.Text.Json.JsonException)
    {
      // No answer.
    }
    // No answer, or not now: the same request with the same key is never a second payment.
    mayHaveBegun = true;
    await Task.Delay(1000);
  }
}

// The key is on disk before the first request: whatever happens to this program, the next start asks
// for the same payment.
if (mayHaveBegun)
  Console.WriteLine("Takes up the payment that was begun before. An amount given now does not count.");
else
{
  var text = args.FirstOrDefault() ?? "";
  var amount = Regex.IsMatch(text, @"^[0-9]{1,6}(\.[0-9]{1,2})?\z") ? decimal.Parse(text, CultureInfo.InvariantCulture) : 0;
  if (amount == 0)
  {
    Console.Error.WriteLine("usage: dotnet run Till.cs 12.50");
    return 1;
  }
  using var file = new FileStream(kept, FileMode.CreateNew, FileAccess.Write);
  file.Write(Encoding.UTF8.GetBytes($$"""{"key":"{{Guid.NewGuid()}}","amountMinor":{{(long)(amount * 100)}}}"""));
  file.Flush(flushToDisk: true);
}
var saved = JsonNode.Parse(File.ReadAllText(kept))!;
var key = (string)saved["key"]!;
var amountMinor = (long)saved["amountMinor"]!;

var begin = $$"""{"amountMinor":{{amountMinor}},"currency":"{{currency}}"}""";
var payment = await Call(HttpMethod.Post, "/payments", key, begin);
mayHaveBegun = true;
var path = $"/payments/{payment["paymentId"]}";
Console.CancelKeyPress += async (_, pressed) =>
{
  pressed.Cancel = true;
  await Call(HttpMethod.Post, $"{path}/cancel", key, "{}");
};
Console.WriteLine($"{(amountMinor / 100m).ToString("F2", CultureInfo.InvariantCulture)} {currency}: please scan the code. Ctrl+C cancels.");

while ((string)payment["status"]! == "pending") payment = await Call(HttpMethod.Get, $"{path}?wait=30");
Console.WriteLine((string)payment["status"]! == "paid"
  ? $"Paid. Receipt {payment["receiptNumber"]}."
  : $"Not paid: {payment["reason"]}.");
File.Delete(kept);
return 0;
