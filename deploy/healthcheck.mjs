// Exits with 0 if every role of this container that listens on a public port is alive. It asks for liveness, not
// readiness: without its database, live streams keep playing, and a restart would not bring it back.
import { connect } from 'node:net';

const { PORT, MEDIA_PORT, RTMP_PORT, HOST, ROLES, UPSTREAM_ORIGIN } = process.env;
const timeoutMs = 8_000;
const roles = (ROLES || (UPSTREAM_ORIGIN ? 'origin' : 'web,jobs,origin,live'))
  .split(',')
  .map((role) => role.trim());
const given = HOST && HOST !== '0.0.0.0' && HOST !== '::' ? HOST : '127.0.0.1';
const host = given.includes(':') ? `[${given}]` : given;

async function answers(port, path) {
  const response = await fetch(`http://${host}:${port}${path}`, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`${path} at port ${port} returned ${response.status}`);
}

function accepts(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: given, port: Number(port), timeout: timeoutMs });
    socket.once('timeout', () => socket.destroy(new Error(`port ${port} does not respond`)));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}

const checks = {
  web: () => answers(PORT || 3000, '/api/livez'),
  origin: () => answers(MEDIA_PORT || 8080, '/livez'),
  live: () => accepts(RTMP_PORT || 1935),
  // Has no public port; the supervisor restarts it when it does not respond.
  jobs: () => undefined,
};

try {
  await Promise.all(roles.map((role) => checks[role]?.()));
} catch (error) {
  console.error(error.cause?.message ?? error.message);
  process.exitCode = 1;
}
