import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from './network';
import type { StartService } from './rtmp-service';
import { startProcess, untilHealthy } from './start-process';

/** nginx 1.22 with libnginx-mod-rtmp 1.2 from Debian's packages, with one worker, as a peer for comparison. */

const module = '/usr/lib/nginx/modules/ngx_rtmp_module.so';
const segmentSeconds = 2;
const listSeconds = 12;

/** The module writes MPEG-TS segments that end at the first keyframe after 2 s. */
const nginxPackages = (hls: string) =>
  `hls on; hls_path ${hls}; hls_fragment ${segmentSeconds}s; hls_playlist_length ${listSeconds}s;`;

/** nginx receives the publish and starts one ffmpeg, which pulls the stream and writes the same segments. */
const ffmpegPackages = (hls: string, rtmpPort: number) =>
  `exec_push ffmpeg -hide_banner -loglevel error -nostdin -i rtmp://127.0.0.1:${rtmpPort}/live/$name -c copy -f hls ` +
  `-hls_time ${segmentSeconds} -hls_list_size ${listSeconds / segmentSeconds} -hls_flags delete_segments+temp_file ` +
  `-hls_segment_filename ${hls}/$name-%d.ts ${hls}/$name.m3u8;`;

const configuration = (directory: string, rtmpPort: number, httpPort: number, packaging: string) => `
load_module ${module};
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

function nginx(name: string, packaging: (hls: string, rtmpPort: number) => string): StartService {
  return async (scope, parent) => {
    if (!existsSync(module)) throw new Error(`${name} is missing: apt-get install libnginx-mod-rtmp`);
    const directory = await mkdtemp(join(parent, 'nginx-'));
    await mkdir(join(directory, 'hls'));
    const [rtmpPort = 0, httpPort = 0] = await freePorts(2);
    const file = join(directory, 'nginx.conf');
    await writeFile(
      file,
      configuration(directory, rtmpPort, httpPort, packaging(join(directory, 'hls'), rtmpPort)),
    );
    const server = startProcess('nginx', ['-c', file, '-p', directory], { scope });
    await untilHealthy(server, `http://127.0.0.1:${httpPort}/healthz`, 5_000);
    return {
      name,
      measuredProcesses: [{ subject: 'everything', pids: [server.pid] }],
      openChannels: (count) =>
        Promise.resolve(
          Array.from({ length: count }, (_, index) => ({
            publishUrl: `rtmp://127.0.0.1:${rtmpPort}/live/s${index}`,
            playlistUrl: `http://127.0.0.1:${httpPort}/hls/s${index}.m3u8`,
          })),
        ),
    };
  };
}

export const nginxRtmp = nginx('nginx-rtmp', nginxPackages);
export const ffmpegPerStream = nginx('one ffmpeg per stream', ffmpegPackages);
