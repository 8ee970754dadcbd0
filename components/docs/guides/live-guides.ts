import { encoder, json, key, post, readField, type ServiceUrls, type TaskGuide } from './guide-steps';

export const goLive = ({ baseUrl, cdnUrl, rtmpUrl }: ServiceUrls): TaskGuide => ({
  id: 'go-live',
  title: 'Go live',
  summary: 'Create a stream, send it video, and watch it.',
  needs: ['ffmpeg'],
  steps: [
    {
      text: 'Create a stream. Each session of it is recorded.',
      code: post(`${baseUrl}/api/stream`, '{"name": "First stream", "record": true}', 'stream.json'),
    },
    {
      text: 'Send video for 20 seconds. In OBS, the server and the stream key go into Settings → Stream.',
      code: encoder(`${rtmpUrl}/${readField('stream.json', 'streamKey')}`),
      isRunning: true,
    },
    {
      text: 'Wait until it can be played. Your server gets the webhook event stream.started at that moment.',
      code: [
        `until curl -sSf ${baseUrl}/api/stream/${readField('stream.json', 'id')} ${key} | grep '"isActive":true'; do`,
        '  sleep 1',
        'done',
      ].join('\n'),
    },
    {
      text: 'Open the watch page, or give the playlist to any HLS player.',
      code: [
        `echo ${baseUrl}/watch/${readField('stream.json', 'playbackId')}`,
        `curl -sSf ${cdnUrl}/hls/${readField('stream.json', 'playbackId')}/index.m3u8`,
      ].join('\n'),
    },
  ],
});

export const restream = ({ baseUrl, rtmpUrl }: ServiceUrls): TaskGuide => ({
  id: 'restream',
  title: 'Restream to other services',
  summary: 'One encoder, several platforms.',
  needs: ['ffmpeg'],
  steps: [
    {
      text: 'Save the target: the server and the stream key that the platform shows, with a slash between them.',
      code: [
        'TARGET_URL=${TARGET_URL:-rtmp://live.example.com/app/stream-key}',
        `curl -sSf ${baseUrl}/api/multistream/target ${key} ${json} \\`,
        `  -d '{"name": "Platform", "url": "'"$TARGET_URL"'"}' -o target.json`,
      ].join('\n'),
    },
    {
      text: 'Create a stream that sends its video there as it is. A profile of the stream in the place of source sends a smaller picture.',
      code: [
        `curl -sSf ${baseUrl}/api/stream ${key} ${json} -o stream.json \\`,
        `  -d '{"name": "Everywhere", "multistream": {"targets": [{"profile": "source", "id": "'"${readField('target.json', 'id')}"'"}]}}'`,
      ].join('\n'),
    },
    {
      text: 'Go live.',
      code: encoder(`${rtmpUrl}/${readField('stream.json', 'streamKey')}`),
      isRunning: true,
    },
    {
      text: 'Follow the target: its state, and why it fails if it does.',
      code: [
        `until curl -sSf ${baseUrl}/api/stream/${readField('stream.json', 'id')}/multistream ${key} | grep '"connected"'; do`,
        '  sleep 1',
        'done',
      ].join('\n'),
    },
  ],
});
