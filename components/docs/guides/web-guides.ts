import { tokenSnippets } from '@/components/access/token-snippets';
import { verifySnippets } from '@/components/webhooks/verify-snippets';
import {
  jsonOption,
  authOption,
  postCommand,
  readFieldExpression,
  type ServiceUrls,
  type TaskGuide,
} from './guide-steps';

export const uploadFromBrowserGuide = ({ baseUrl }: ServiceUrls): TaskGuide => ({
  id: 'upload-from-a-browser',
  title: 'Upload from a browser',
  summary:
    'Your server requests an upload URL, and the page sends the file to it. The page never sees your API key.',
  requiredPrograms: [],
  steps: [
    {
      text: 'Create a page with a file field. The upload URL accepts requests from any website.',
      fileName: 'index.html',
      code: `<!doctype html>
<title>Upload</title>
<input type="file" accept="video/*" />
<p role="status"></p>
<script type="module">
  const status = document.querySelector('p');
  document.querySelector('input').onchange = async ({ target: { files: [file] } }) => {
    const { url, assetId } = await (await fetch('/uploads', { method: 'POST' })).json();
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded, total }) =>
      (status.textContent = \`\${Math.round((100 * loaded) / total)} %\`);
    request.onload = () => (status.textContent = request.status === 200 ? \`Uploaded \${assetId}\` : request.responseText);
    request.open('PUT', url);
    request.send(file);
  };
</script>`,
    },
    {
      text: 'Create a server that has the API key and requests an upload URL for each file.',
      fileName: 'server.mjs',
      code: `import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

async function requestUpload() {
  const response = await fetch('${baseUrl}/api/asset/request-upload', {
    method: 'POST',
    headers: {
      Authorization: \`Bearer \${process.env.HEADWATER_API_KEY}\`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ name: 'From a browser' }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { url, asset } = await response.json();
  return JSON.stringify({ url, assetId: asset.id });
}

createServer(async (request, response) => {
  try {
    if (request.method === 'POST') response.end(await requestUpload());
    else response.setHeader('Content-Type', 'text/html').end(await readFile('index.html'));
  } catch (error) {
    response.writeHead(502).end(String(error));
  }
}).listen(process.env.PORT ?? 4000);`,
    },
    {
      text: 'Start the server and open http://localhost:4000. For resumable uploads, pass tusEndpoint of the same response to a tus client.',
      code: 'node server.mjs',
      keepsRunning: true,
    },
  ],
});

export const signPlaybackGuide = ({ baseUrl, cdnUrl }: ServiceUrls): TaskGuide => ({
  id: 'sign-playback',
  title: 'Sign playback',
  summary: 'Only viewers with a token from your server can watch.',
  requiredPrograms: [],
  steps: [
    {
      text: 'Create a signing key. Only this response contains the private key.',
      code: postCommand(`${baseUrl}/api/access-control/signing-key`, '{"name": "My site"}', 'key.json'),
    },
    {
      text: 'Create a stream that requires a token. Assets accept the same policy.',
      code: postCommand(
        `${baseUrl}/api/stream`,
        '{"name": "For members", "playbackPolicy": {"type": "jwt"}}',
        'stream.json',
      ),
    },
    {
      text: 'Add code that signs a token for one viewer, valid for an hour.',
      fileName: 'playback-token.mjs',
      code: tokenSnippets[0].code,
    },
    {
      text: 'Sign a token.',
      code: [
        `export HEADWATER_PUBLIC_KEY="${readFieldExpression('key.json', 'publicKey')}"`,
        `export HEADWATER_PRIVATE_KEY="${readFieldExpression('key.json', 'privateKey')}"`,
        `TOKEN=$(PLAYBACK_ID=${readFieldExpression('stream.json', 'playbackId')} node --input-type=module -e '`,
        '  import { playbackToken } from "./playback-token.mjs";',
        '  console.log(playbackToken(process.env.PLAYBACK_ID));',
        "')",
      ].join('\n'),
    },
    {
      text: 'Add the token to the URL of the watch page or the playlist as jwt. Without it, the response is 403; with it, 404 until the stream is live.',
      code: [
        `for QUERY in '' "?jwt=$TOKEN"; do`,
        `  curl -sS -o /dev/null -w '%{http_code}\\n' "${cdnUrl}/hls/${readFieldExpression('stream.json', 'playbackId')}/index.m3u8$QUERY"`,
        'done',
      ].join('\n'),
    },
  ],
});

export const receiveWebhookGuide = ({ baseUrl }: ServiceUrls): TaskGuide => ({
  id: 'receive-a-webhook',
  title: 'Receive a webhook',
  summary: 'This service calls your server when an event happens, and your server verifies the signature.',
  requiredPrograms: ['standardwebhooks, installed with npm install standardwebhooks'],
  steps: [
    {
      text: 'Create a webhook with your own secret. This service must be able to reach its URL; npm run cli -- listen forwards events to your own machine.',
      code: [
        `export HEADWATER_WEBHOOK_SECRET="whsec_$(node -p 'crypto.randomBytes(24).toString("base64")')"`,
        'WEBHOOK_URL=${WEBHOOK_URL:-https://example.com/hook}',
        `curl -sSf ${baseUrl}/api/webhook ${authOption} ${jsonOption} \\`,
        `  -d '{"name": "Receiver", "url": "'"$WEBHOOK_URL"'", "sharedSecret": "'"$HEADWATER_WEBHOOK_SECRET"'",`,
        `       "events": ["stream.started", "asset.created"]}'`,
      ].join('\n'),
    },
    { text: 'Add code that verifies an event.', fileName: 'read-event.mjs', code: verifySnippets[0].code },
    {
      text: 'Create a server that receives events. It responds first and processes the event afterwards.',
      fileName: 'receiver.mjs',
      code: `import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { readEvent } from './read-event.mjs';

createServer(async (request, response) => {
  try {
    const event = readEvent(await text(request), request.headers);
    response.end();
    console.log(event.event, event.id);
  } catch {
    response.writeHead(401).end();
  }
}).listen(process.env.PORT ?? 4000);`,
    },
    { text: 'Start the server.', code: 'node receiver.mjs | tee events.txt', keepsRunning: true },
    {
      text: 'Trigger an event by creating an asset. The dashboard can also send test events.',
      code: [
        `until curl -s -o /dev/null "http://localhost:\${PORT:-4000}"; do sleep 1; done`,
        `curl -sSf ${baseUrl}/api/asset/request-upload ${authOption} ${jsonOption} -d '{"name": "Event"}'`,
        'until grep asset.created events.txt; do sleep 1; done',
      ].join('\n'),
    },
  ],
});
