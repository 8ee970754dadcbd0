import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePorts } from './network';
import type { StartService } from './rtmp-service';
import { startProcess, waitUntilHealthy } from './start-process';

/** nginx 1.22 with libnginx-mod-rtmp 1.2 of Debian and one worker process, for comparison. */

const modulePath = '/usr/lib/nginx/modules/ngx_rtmp_module.so';
const SEGMENT_SECONDS = 2;
const LIST_SECONDS = 12;

/** Configuration with which the module writes MPEG-TS segments that end at the first keyframe after 2 s. */
const nginxPackaging = (hls: string) =>
  `hls on; hls_path ${hls}; hls_fragment ${SEGMENT_SECONDS}s; hls_playlist_length ${LIST_SECONDS}s;`;

/** Configuration with which nginx starts one ffmpeg for each publish, which pulls the stream and writes the same segments. */
const ffmpegPackaging = (hls: string, rtmpPort: number) =>
  `exec_push ffmpeg -hide_banner -loglevel error -nostdin -i rtmp://127.0.0.1:${rtmpPort}/live/$name -c copy -f hls ` +
  `-hls_time ${SEGMENT_SECONDS} -hls_list_size ${LIST_SECONDS / SEGMENT_SECONDS} -hls_flags delete_segments+temp_file ` +
  `-hls_segment_filename ${hls}/$name-%d.ts ${hls}/$name.m3u8;`;

const createConfiguration = (directory: string, rtmpPort: number, httpPort: number, packaging: string) => `
load_module ${modulePath};
daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${directory}/nginx.pid;
error_log ${directory}/error.log warn;
events { worker_connections 1024; }
rtmp {
  access_log off;
  server {
    listen 127.0.0.1:${rtmpPort};
    application live { live on; ${packaging} }
  }
}
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  server {
    listen 127.0.0.1:${httpPort};
    location /healthz { return 200; }
    location /hls/ { alias ${directory}/hls/; }
  }
}
`;

function createNginxStarter(
  name: string,
  packaging: (hls: string, rtmpPort: number) => string,
): StartService {
  return async (scope, parent) => {
    if (!existsSync(modulePath)) throw new Error(`${name} is missing: apt-get install libnginx-mod-rtmp`);
    const directory = await mkdtemp(join(parent, 'nginx-'));
    await mkdir(join(directory, 'hls'));
    const [rtmpPort = 0, httpPort = 0] = await findFreePorts(2);
    const file = join(directory, 'nginx.conf');
    await writeFile(
      file,
      createConfiguration(directory, rtmpPort, httpPort, packaging(join(directory, 'hls'), rtmpPort)),
    );
    const server = startProcess('nginx', ['-c', file, '-p', directory], { scope });
    await waitUntilHealthy(server, `http://127.0.0.1:${httpPort}/healthz`, 5_000);
    return {
      name,
      measuredProcesses: [{ subject: 'everything', pids: [server.pid] }],
      openStreams: (count) =>
        Promise.resolve(
          Array.from({ length: count }, (_, index) => ({
            publishUrl: `rtmp://127.0.0.1:${rtmpPort}/live/s${index}`,
            playlistUrl: `http://127.0.0.1:${httpPort}/hls/s${index}.m3u8`,
          })),
        ),
    };
  };
}

export const startNginxRtmp = createNginxStarter('nginx-rtmp', nginxPackaging);
export const startFfmpegPerStream = createNginxStarter('one ffmpeg per stream', ffmpegPackaging);
