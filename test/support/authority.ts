const pem = (what: string, lines: readonly string[]): string =>
  [`-----BEGIN ${what}-----`, ...lines, `-----END ${what}-----`, ''].join('\n');

/** An authority for tests only, which nobody trusts by itself, valid until 2125. */
export const authority = pem('CERTIFICATE', [
  'MIIBqzCCAVKgAwIBAgITGwNXC3xfvCgVx6JZ0jAV0J1aNDAKBggqhkjOPQQDAjAj',
  'MSEwHwYDVQQDDBhTaG9wIGF1dGhvcml0eSBmb3IgdGVzdHMwIBcNMjYxMTI4MTIw',
  'MDM5WhgPMjEyNTA2MjIxMjAwMzlaMCMxITAfBgNVBAMMGFNob3AgYXV0aG9yaXR5',
  'IGZvciB0ZXN0czBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHl0aUeqI4wk1lnY',
  'wAu+U0B4YZGrN1st9NPFore4jzd++o/wlOwVK6r2XiDKQj1bU7ORlQIprNF8mF/o',
  'IXdpAXmjYzBhMB0GA1UdDgQWBBSNtiJplyhNuUSocMiwWro3ppWymDAfBgNVHSME',
  'GDAWgBSNtiJplyhNuUSocMiwWro3ppWymDAPBgNVHRMBAf8EBTADAQH/MA4GA1Ud',
  'DwEB/wQEAwIBBjAKBggqhkjOPQQDAgNHADBEAiARBHpJE66Nj10JcjZ6gb+fZ+HE',
  '8exP5q/mrq3qHUpxzAIgRmJdxgrg+74SsK/+NNXJIFNthTIVfy4ELaCU4fbiVGQ=',
]);

/** What it has certified: localhost, 127.0.0.1 and every name below shop.example. */
export const certified = {
  key: pem('PRIVATE KEY', [
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGWKpj8e1KUE/sK7K',
    '0FWcOOXMAmpxotY62fzGASLrFhahRANCAAT6IvLj+IiIrdoSjnsATm2Ea1xJjnv2',
    'DlK0fMojdXDKOjj12IUEQ+2Dr5nKoQCXNJlX9xYiG6R1RjCHW81GfG9X',
  ]),
  cert: pem('CERTIFICATE', [
    'MIIB1DCCAXugAwIBAgIUFZHV5HUdibrxjpCkROKXtNcQx+gwCgYIKoZIzj0EAwIw',
    'IzEhMB8GA1UEAwwYU2hvcCBhdXRob3JpdHkgZm9yIHRlc3RzMCAXDTI2MTEyODEy',
    'MDAzOVoYDzIxMjUwNjIxMTIwMDM5WjAeMRwwGgYDVQQDDBN3YWxsZXQuc2hvcC5l',
    'eGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE+iLy4/iIiK3aEo57AE5t',
    'hGtcSY579g5StHzKI3Vwyjo49diFBEPtg6+ZyqEAlzSZV/cWIhukdUYwh1vNRnxv',
    'V6OBjzCBjDAqBgNVHREEIzAhgglsb2NhbGhvc3SCDiouc2hvcC5leGFtcGxlhwR/',
    'AAABMAkGA1UdEwQCMAAwEwYDVR0lBAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYEFPfW',
    'oxYiKRbcCOR7LBKoT0X/fGb1MB8GA1UdIwQYMBaAFI22ImmXKE25RKhwyLBaujem',
    'lbKYMAoGCCqGSM49BAMCA0cAMEQCIEZ0F+tszBQa9+/oxIZxvz0zNA/RItapUw+d',
    'Qy4T0t0TAiBoa0PE5IcLLWbFv17fAsG4sZs030/6L6oDfjByY+I3xA==',
  ]),
};
