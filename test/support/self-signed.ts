const pem = (what: string, lines: readonly string[]): string =>
  [`-----BEGIN ${what}-----`, ...lines, `-----END ${what}-----`].join('\n');

/** A certificate for tests only, self-signed for 127.0.0.1 and localhost, valid until 2126. */
export const selfSigned = {
  key: pem('PRIVATE KEY', [
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgv8pzoc7Xj1gcUQ69',
    'Q3UaVvelkZSohjpXSy2j7AKqbquhRANCAASQTVdO6gTDeoU7SJMRxyil3GIrYX8q',
    'pNBe9KmDZZKfXkTivKTOneR81f7FSyItyJER9p09psZmIa6cBKB3AsRK',
  ]),
  cert: pem('CERTIFICATE', [
    'MIIBmzCCAUGgAwIBAgIUK/SqDaOO6TldxQY25d3dTl53buswCgYIKoZIzj0EAwIw',
    'FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTExMjQ0MFoYDzIxMjYxMDI4',
    'MTEyNDQwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO',
    'PQMBBwNCAASQTVdO6gTDeoU7SJMRxyil3GIrYX8qpNBe9KmDZZKfXkTivKTOneR8',
    '1f7FSyItyJER9p09psZmIa6cBKB3AsRKo28wbTAdBgNVHQ4EFgQUZp9mdHbAaHyy',
    'Zn9vTdDlVN0v+LswHwYDVR0jBBgwFoAUZp9mdHbAaHyyZn9vTdDlVN0v+LswDwYD',
    'VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI',
    'zj0EAwIDSAAwRQIgD3q6JZ6YqmGVqkOeJbSG/xGrN76x7ySTDRBkuCJhJMUCIQDj',
    'F5+SJycR56/kMv4yeUcaB/7ZyUar38w+cjjXdVWrgw==',
  ]),
};
