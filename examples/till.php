<?php
// A till that takes a payment over Tillbeacon's HTTP API, in PHP 8.1 or newer without packages.
// usage: TILL_TOKEN=tbt_… php till.php 12.50
declare(strict_types=1);

$url = getenv('TILL_URL') ?: 'http://127.0.0.1:4182';
$currency = getenv('TILL_CURRENCY') ?: 'DKK';
$kept = 'till-payment.json';
$mayHaveBegun = file_exists($kept);

/** The status and the JSON of the answer; [0, null] when there is none. */
function send(string $method, string $path, ?string $key, ?array $body): array
{
    global $url;
    $headers = ['Authorization: Bearer ' . getenv('TILL_TOKEN'), 'Content-Type: application/json'];
    if ($key !== null) $headers[] = "Idempotency-Key: $key";
    $content = $body === null ? '' : json_encode($body, JSON_FORCE_OBJECT);
    $context = stream_context_create(['http' => [
        'method' => $method, 'header' => $headers, 'content' => $content,
        'ignore_errors' => true, 'timeout' => 60, 'follow_location' => 0,
    ]]);
    $text = @file_get_contents("$url/v1$path", false, $context);
    if ($text === false) return [0, null];
    preg_match('#^HTTP/\S+ (\d+)#', $http_response_header[0] ?? '', $match);
    $answer = json_decode($text, true);
    return is_array($answer) ? [(int) ($match[1] ?? 0), $answer] : [0, null];
}

function call(string $method, string $path, ?string $key = null, ?array $body = null): array
{
    global $kept, $mayHaveBegun;
    while (true) {
        [$status, $answer] = send($method, $path, $key, $body);
        if ($status >= 200 && $status < 300) return $answer;
        // Refused: what it means for the money, and what to do. Only the key of a payment that
        // cannot have begun may go.
        if ($status >= 400 && $status < 500) {
            if (!$mayHaveBegun) unlink($kept);
            fwrite(STDERR, "{$answer['title']}. {$answer['money']} {$answer['action']}\n");
            exit(1);
        }
        // No answer, or not now: the same request with the same key is never a second payment.
        $mayHaveBegun = true;
        sleep(1);
    }
}

// The key is on disk before the first request: whatever happens to this program, the next start asks
// for the same payment.
if ($mayHaveBegun) {
    echo "Takes up the payment that was begun before. An amount given now does not count.\n";
} else {
    $isAmount = preg_match('/^(\d{1,6})(?:\.(\d{1,2}))?$/D', $argv[1] ?? '', $match) === 1;
    $amountMinor = $isAmount ? (int) $match[1] * 100 + (int) str_pad($match[2] ?? '', 2, '0') : 0;
    if ($amountMinor === 0) {
        fwrite(STDERR, "usage: php till.php 12.50\n");
        exit(1);
    }
    $file = fopen($kept, 'x');
    fwrite($file, json_encode(['key' => bin2hex(random_bytes(16)), 'amountMinor' => $amountMinor]));
    fsync($file);
    fclose($file);
}
['key' => $key, 'amountMinor' => $amountMinor] = json_decode(file_get_contents($kept), true);

$payment = call('POST', '/payments', $key, ['amountMinor' => $amountMinor, 'currency' => $currency]);
$mayHaveBegun = true;
$path = "/payments/{$payment['paymentId']}";
printf("%.2f %s: please scan the code. Ctrl+C cancels.\n", $amountMinor / 100, $currency);
if (function_exists('pcntl_signal')) {
    pcntl_async_signals(true);
    pcntl_signal(SIGINT, fn () => call('POST', "$path/cancel", $key, []));
}

// PHP reads a signal between two calls: short waits let Ctrl+C cancel within two seconds.
while ($payment['status'] === 'pending') $payment = call('GET', "$path?wait=2");
echo $payment['status'] === 'paid' ? "Paid. Receipt {$payment['receiptNumber']}.\n" : "Not paid: {$payment['reason']}.\n";
unlink($kept);
