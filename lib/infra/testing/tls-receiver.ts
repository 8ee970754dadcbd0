import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Test key, created with `openssl req -x509 -nodes` for 127.0.0.1, valid until 2126. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNM4grZrFR/LFSRZW
yxyJ3l/8VmtgBMi5wB+BMKrP+q2hRANCAASydMdF9735khwPGoIkHLeR/WumrKDr
3s855c406ZOA0woF32tUFkOlO8CYyLLQ4liO1dqsaB24wSqRn/LLBmYd
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUYxrnJo4a5PtrDE0+taM6FiLIKtMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMTEwMDU0OFoYDzIxMjYxMDI4
MTAwNTQ4WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASydMdF9735khwPGoIkHLeR/WumrKDr3s855c406ZOA0woF32tUFkOl
O8CYyLLQ4liO1dqsaB24wSqRn/LLBmYdo2QwYjAdBgNVHQ4EFgQUed9aankU6YPE
SVRf140YKlvtiMQwHwYDVR0jBBgwFoAUed9aankU6YPESVRf140YKlvtiMQwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IQD5XLF8RzylK5O8QEf7FcRUDPFfRdV4fpguN6M+1/BqrQIgP5af1L7qlCBA7hqf
6wkg4X5RkIXRYDy2id6ZyEcz5zE=
-----END CERTIFICATE-----`;

/** An HTTPS server on loopback with a self-signed certificate. */
export async function startTlsReceiver() {
  let requestCount = 0;
  const server = createServer({ key, cert }, (_request, response) => {
    requestCount += 1;
    response.end();
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/`,
    requestCount: () => requestCount,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
