import {
  publishTestVideoCommand,
  jsonOption,
  authOption,
  postCommand,
  readFieldExpression,
  type ServiceUrls,
  type TaskGuide,
} from './guide-steps';

export const goLiveGuide = ({ baseUrl, cdnUrl, rtmpUrl }: ServiceUrls): TaskGuide => ({
  id: 'go-live',
  title: 'Go live',
  summary: 'Create a stream, send it video, and watch it.',
  requiredPrograms: ['ffmpeg'],
  steps: [
    {
      text: 'Create a stream that records its sessions.',
      code: postCommand(`${baseUrl}/api/stream`, '{"name": "First stream", "record": true}', 'stream.json'),
    },
    {
      text: 'Send video for 20 seconds. In OBS, enter the server and the stream key under Settings → Stream.',
      code: publishTestVideoCommand(`${rtmpUrl}/${readFieldExpression('stream.json', 'streamKey')}`),
      keepsRunning: true,
    },
    {
      text: 'Wait until the stream can be played. At that moment, webhooks get the event stream.started.',
      code: [
        `until curl -sSf ${baseUrl}/api/stream/${readFieldExpression('stream.json', 'id')} ${authOption} | grep '"isActive":true'; do`,
        '  sleep 1',
        'done',
      ].join('\n'),
    },
    {
      text: 'Open the watch page, or load the playlist in any HLS player.',
      code: [
        `echo ${baseUrl}/watch/${readFieldExpression('stream.json', 'playbackId')}`,
        `curl -sSf ${cdnUrl}/hls/${readFieldExpression('stream.json', 'playbackId')}/index.m3u8`,
      ].join('\n'),
    },
  ],
});

export const multistreamGuide = ({ baseUrl, rtmpUrl }: ServiceUrls): TaskGuide => ({
  id: 'restream',
  title: 'Multistream to other services',
  summary: 'Send one stream to several platforms.',
  requiredPrograms: ['ffmpeg'],
  steps: [
    {
      text: 'Create a target. Its URL is the server and the stream key of the platform, joined by a slash.',
      code: [
        'TARGET_URL=${TARGET_URL:-rtmp://live.example.com/app/stream-key}',
        `curl -sSf ${baseUrl}/api/multistream/target ${authOption} ${jsonOption} \\`,
        `  -d '{"name": "Platform", "url": "'"$TARGET_URL"'"}' -o target.json`,
      ].join('\n'),
    },
    {
      text: 'Create a stream with this target. The profile source sends the video unchanged; to send smaller video, name a profile of the stream instead.',
      code: [
        `curl -sSf ${baseUrl}/api/stream ${authOption} ${jsonOption} -o stream.json \\`,
        `  -d '{"name": "Everywhere", "multistream": {"targets": [{"profile": "source", "id": "'"${readFieldExpression('target.json', 'id')}"'"}]}}'`,
      ].join('\n'),
    },
    {
      text: 'Go live.',
      code: publishTestVideoCommand(`${rtmpUrl}/${readFieldExpression('stream.json', 'streamKey')}`),
      keepsRunning: true,
    },
    {
      text: 'Wait until the target is connected. If it fails, the response has the reason.',
      code: [
        `until curl -sSf ${baseUrl}/api/stream/${readFieldExpression('stream.json', 'id')}/multistream ${authOption} | grep '"connected"'; do`,
        '  sleep 1',
        'done',
      ].join('\n'),
    },
  ],
});
