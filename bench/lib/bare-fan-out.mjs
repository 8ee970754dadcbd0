/**
 * A minimal Node server for low-latency viewers, as a lower bound for their cost. It loads one media playlist as a single
 * viewer and sends the same bytes to all waiting viewers, with only the headers Content-Type and Content-Length.
 *
 * node bare-fan-out.mjs <URL of a media playlist> <port>
 */
import { createServer, get } from 'node:http';

const [, , source = '', port = ''] = process.argv;
const master = Buffer.from('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmedia.m3u8\n');
let playlist = Buffer.alloc(0);
let nextQuery = '';
let waitingResponses = [];

const nextQueryOf = (text) => {
  const [, msn, part] = /#EXT-X-PRELOAD-HINT:TYPE=PART,URI="(\d+)\.(\d+)\./.exec(text) ?? [];
  return `_HLS_msn=${msn}&_HLS_part=${part}`;
};

function send(response, body) {
  response.writeHead(200, { 'Content-Type': 'application/vnd.apple.mpegurl', 'Content-Length': body.length });
  response.end(body);
}

/**
 * Loads the playlist again and again, and sends each version to all waiting viewers. A failure of the source ends this
 * process.
 */
async function follow() {
  for (;;) {
    const chunks = [];
    await new Promise((resolve, reject) => {
      get(`${source}?${nextQuery}`, (answer) => {
        answer
          .on('data', (chunk) => chunks.push(chunk))
          .on('end', resolve)
          .on('error', reject);
      }).on('error', reject);
    });
    playlist = Buffer.concat(chunks);
    nextQuery = nextQueryOf(playlist.toString('latin1'));
    const responses = waitingResponses;
    waitingResponses = [];
    for (const response of responses) send(response, playlist);
  }
}

createServer((request, response) => {
  const { url = '' } = request;
  if (url.startsWith('/master')) send(response, master);
  else if (nextQuery !== '' && url.endsWith(nextQuery)) waitingResponses.push(response);
  else send(response, playlist);
}).listen(Number(port), '127.0.0.1');

await follow();
