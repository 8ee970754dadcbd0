import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeTlsFiles } from '../tls/node-tls-settings';

/**
 * Test certificates, created with `openssl ca` for 127.0.0.1, valid from 2020 until 2126. `expired` ended in 2021, `otherHost`
 * is for 10.0.0.2, and `otherAuthority` is signed by the other CA.
 */
const authorities = {
  ca: `-----BEGIN CERTIFICATE-----
MIIBZDCCAQmgAwIBAgIUB7FjAAwfUDUwss8JnnjdrAAXYvkwCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFTm9kZXMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyNjAxMDEwMDAw
MDBaMBAxDjAMBgNVBAMMBU5vZGVzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
WYpYGXJ8jauyECs0+6VbZmSHH3ZmoLrWFGtFLNuL4ifo7am88QFpqLZ0HxjvJZYi
U831opbiX247+J0E/esM2aM/MD0wDwYDVR0TAQH/BAUwAwEB/zALBgNVHQ8EBAMC
AgQwHQYDVR0OBBYEFA5okJ9IG4tcJnu3Y00OUkmQpssYMAoGCCqGSM49BAMCA0kA
MEYCIQDOmotUj+QQ6U9bYz5qkYI6btC9ZMVvqbdbX3UINepWtwIhAKMVmb+F5JG3
ROoATOersZvZSFfQLnzaLgAyROFomkIZ
-----END CERTIFICATE-----`,
  other: `-----BEGIN CERTIFICATE-----
MIIBbzCCARWgAwIBAgIUHopkn1KBQdTmLzAT2RPLZLcAdz4wCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLT3RoZXIgbm9kZXMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyNjAx
MDEwMDAwMDBaMBYxFDASBgNVBAMMC090aGVyIG5vZGVzMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEw7XHKtf7O4ynOY+61iaVLmtN9Bz3UDNcoPZf91je+W8MrBaC
7cjZh9C5JnSLei4SwcIq/XtFO5nwtN3jsAz8aqM/MD0wDwYDVR0TAQH/BAUwAwEB
/zALBgNVHQ8EBAMCAgQwHQYDVR0OBBYEFFtZdIdb8Lc8ZRl8cwgE0HzyxHlgMAoG
CCqGSM49BAMCA0gAMEUCIQClAvl43eAxPJRKTyUs0es/2aL+jFoBvL7vSkl+lPyb
rQIgN7e59nLWTtRrzMLVGMDykGYNDD9g0pXBOkhkCrB83KQ=
-----END CERTIFICATE-----`,
};

const nodes = {
  node: {
    cert: `-----BEGIN CERTIFICATE-----
MIIBgTCCASigAwIBAgIUCqixqOT0ydrSxrT9vSlRvjONdR0wCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFTm9kZXMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyNjAxMDEwMDAw
MDBaMBAxDjAMBgNVBAMMBW5vZGUxMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
G45b+PbNiqwAyyLFYfTURwBU2Fk7Ofp10ZV3asZ5WeUbhCq/viojp4I+ec130s75
XhL6+zNA/YNucZEcAgc5Z6NeMFwwDwYDVR0RBAgwBocEfwAAATAJBgNVHRMEAjAA
MB0GA1UdDgQWBBRMW1o4Y9qaRjF6IlOnp4ses90vbjAfBgNVHSMEGDAWgBQOaJCf
SBuLXCZ7t2NNDlJJkKbLGDAKBggqhkjOPQQDAgNHADBEAiAFhEb3tO1zU/md4Evx
w8UWDPLS2CI1H78xFwYyu+l7TQIgXLhW6KVr/HH5Stl2i0qow3nwZvMw6M6Gi1WF
u85/Ys8=
-----END CERTIFICATE-----`,
    key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGRpx6UOLiAZPuAdU
mR4w/XlCdqmsqcrvqX/oCJnXW22hRANCAAQbjlv49s2KrADLIsVh9NRHAFTYWTs5
+nXRlXdqxnlZ5RuEKr++KiOngj55zXfSzvleEvr7M0D9g25xkRwCBzln
-----END PRIVATE KEY-----`,
  },
  renewed: {
    cert: `-----BEGIN CERTIFICATE-----
MIIBiTCCATCgAwIBAgIUOU0l+AXUmRZRxcMLw252FuW8bbYwCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFTm9kZXMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyNjAxMDEwMDAw
MDBaMBgxFjAUBgNVBAMMDW5vZGUxLXJlbmV3ZWQwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATDovd+JHVuesPZESy+l4SmE8vjTYSmOB6lG5FKsm96huQrXiU/r9gQ
Ukz3w1KRqC476Jk7z5aGZx2cJhg4EdJ4o14wXDAPBgNVHREECDAGhwR/AAABMAkG
A1UdEwQCMAAwHQYDVR0OBBYEFJJXEJdem5S0NNxRa3MHqnndA9+QMB8GA1UdIwQY
MBaAFA5okJ9IG4tcJnu3Y00OUkmQpssYMAoGCCqGSM49BAMCA0cAMEQCICHQtB6L
wiaMA4YKhGNCwkotn5femrYtQuHFxm8W5NpjAiBomEFgU8JzR+p7DQ7CeZGYzRe5
10tjRSHo6EEcxydKOQ==
-----END CERTIFICATE-----`,
    key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPT911jA14Ic7xEyV
YtdDd6QZ6NHqwrKjIqSFuhciN5qhRANCAATDovd+JHVuesPZESy+l4SmE8vjTYSm
OB6lG5FKsm96huQrXiU/r9gQUkz3w1KRqC476Jk7z5aGZx2cJhg4EdJ4
-----END PRIVATE KEY-----`,
  },
  otherHost: {
    cert: `-----BEGIN CERTIFICATE-----
MIIBgTCCASigAwIBAgIUPgNDuk0TNnNJ9ZGN3gGRQ7sucWIwCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFTm9kZXMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyNjAxMDEwMDAw
MDBaMBAxDjAMBgNVBAMMBW5vZGUyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
G1Cc48FoIpzFERtHNB145oPby920smJTDJakULrOiQoqD89MvFlRr9L6QvwcvRav
QZkIkak664dMq+ysYbAP16NeMFwwDwYDVR0RBAgwBocECgAAAjAJBgNVHRMEAjAA
MB0GA1UdDgQWBBSP4vF5LiwLZ6nU0pJK3oVUZ83+LDAfBgNVHSMEGDAWgBQOaJCf
SBuLXCZ7t2NNDlJJkKbLGDAKBggqhkjOPQQDAgNHADBEAiA72YQ6bB2OBaIARG/Q
KjwgdvLUlDejHz6kdPR2/LJ9sgIgKIYd62gn0kARdEMGxLmjyF9ewlNpPJItXOO+
JZhZkzo=
-----END CERTIFICATE-----`,
    key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjnqaMn2+WlfWf4np
+iZP7puwzJcAUozDyT0KEqNU7IahRANCAAQbUJzjwWginMURG0c0HXjmg9vL3bSy
YlMMlqRQus6JCioPz0y8WVGv0vpC/By9Fq9BmQiRqTrrh0yr7KxhsA/X
-----END PRIVATE KEY-----`,
  },
  expired: {
    cert: `-----BEGIN CERTIFICATE-----
MIIBfzCCASagAwIBAgIUaWMi4zJMlOvuTFJijTq07MthFBIwCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFTm9kZXMwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAw
WjAQMQ4wDAYDVQQDDAVub2RlMTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIax
wjwu+e3wdSEFn56il0+jOwT+w0aBBQBxuW7pcIzXHnHJ5BsteXYHQX6MYvfJxu7/
4iu46D6VezH7RsmX6JWjXjBcMA8GA1UdEQQIMAaHBH8AAAEwCQYDVR0TBAIwADAd
BgNVHQ4EFgQU9tY1JDBbXwpoi2zlhH5QlUjgj7swHwYDVR0jBBgwFoAUDmiQn0gb
i1wme7djTQ5SSZCmyxgwCgYIKoZIzj0EAwIDRwAwRAIgcVcjg13qe/eZye6ZE6gf
fOM0qiMaW0fOeF2EeLMb4DUCIFgeGvd5Hw1mddemmtO/DU0OZfLsQGEaPYbLpsyN
h6TX
-----END CERTIFICATE-----`,
    key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGo0da/PArk0xzlbL
EYGnWUVQur4ooczIFxv39QovrRmhRANCAASGscI8Lvnt8HUhBZ+eopdPozsE/sNG
gQUAcblu6XCM1x5xyeQbLXl2B0F+jGL3ycbu/+IruOg+lXsx+0bJl+iV
-----END PRIVATE KEY-----`,
  },
  otherAuthority: {
    cert: `-----BEGIN CERTIFICATE-----
MIIBhzCCAS6gAwIBAgIUZcS4oyu1MydTyt83Nse7+gKe7TkwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLT3RoZXIgbm9kZXMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyNjAx
MDEwMDAwMDBaMBAxDjAMBgNVBAMMBW5vZGUxMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAElRQ5THjPK1UK2k4WhqZCVb+D8yDjK/DBsyuCGwPxvxCJ2pFTKTsbHULH
p9C5FwYSpB6XVRiZyhZ0LsfGaRafeaNeMFwwDwYDVR0RBAgwBocEfwAAATAJBgNV
HRMEAjAAMB0GA1UdDgQWBBTY/9eIRoSN5oM/Kp5nwmMG5nj+7DAfBgNVHSMEGDAW
gBRbWXSHW/C3PGUZfHMIBNB88sR5YDAKBggqhkjOPQQDAgNHADBEAiA4FfUadcB/
O5iHcy3BpLgG67+gVoFAxMAEa7y5v0xdtAIgAPekUi4CpD+pfwBMBNqgRxF2bKR+
3S+ZCTjhE3FLwLY=
-----END CERTIFICATE-----`,
    key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+qV0JL+0YERFhws9
Uo7+NTAlNr8W4Ke+hZbegO0CRlmhRANCAASVFDlMeM8rVQraThaGpkJVv4PzIOMr
8MGzK4IbA/G/EInakVMpOxsdQsen0LkXBhKkHpdVGJnKFnQux8ZpFp95
-----END PRIVATE KEY-----`,
  },
};

type CertificateName = keyof typeof nodes;

export interface NodeCertificates {
  readonly files: NodeTlsFiles;
  /** Replaces the certificate and its key, as a renewal does. */
  replaceCertificate(issued: CertificateName): Promise<void>;
  /** Writes a key that does not match the certificate. */
  breakKey(): Promise<void>;
  remove(): Promise<void>;
}

/** Creates the three certificate files of a node, in a new folder. */
export async function createNodeCertificates(
  name: CertificateName = 'node',
  authority: keyof typeof authorities = 'ca',
): Promise<NodeCertificates> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-certificates-'));
  const files = {
    cert: join(folder, 'node.crt'),
    key: join(folder, 'node.key'),
    ca: join(folder, 'ca.crt'),
  };
  const replace = async (certificateName: CertificateName) => {
    await writeFile(files.key, nodes[certificateName].key);
    await writeFile(files.cert, nodes[certificateName].cert);
  };
  await writeFile(files.ca, authorities[authority]);
  await replace(name);
  const breakKey = () => writeFile(files.key, nodes.otherAuthority.key);
  return { files, replaceCertificate: replace, breakKey, remove: () => rm(folder, { recursive: true }) };
}
