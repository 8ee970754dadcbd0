import { quoteShellWord } from '../shell-word';
import type { SrtTarget } from './srt-passphrase';

/** ffmpeg command that publishes a generated test pattern with a tone over RTMP. */
export const testPatternCommand = (rtmpUrl: string, streamKey: string): string =>
  ffmpegTestPatternCommand('flv', `${rtmpUrl}/${streamKey}`);

/**
 * ffmpeg command that publishes the same test pattern over SRT.
 * @param url URL with stream id and passphrase
 */
export const srtTestPatternCommand = (url: string): string => ffmpegTestPatternCommand('mpegts', url);

function ffmpegTestPatternCommand(format: string, url: string): string {
  return [
    'ffmpeg -re -f lavfi -i testsrc2=size=1280x720:rate=30',
    '  -f lavfi -i sine=frequency=440:sample_rate=48000',
    '  -c:v libx264 -preset veryfast -tune zerolatency',
    '  -pix_fmt yuv420p -b:v 2500k -g 60',
    '  -c:a aac -b:a 128k',
    `  -f ${format} ${quoteShellWord(url)}`,
  ].join(' \\\n');
}

/** Elements for the video. `config-interval=-1` repeats the parameter sets before each keyframe, as MPEG-TS needs. */
const gstreamerVideo = [
  '  videotestsrc is-live=true ! video/x-raw,format=I420,width=1280,height=720,framerate=30/1',
  '  ! x264enc tune=zerolatency speed-preset=veryfast bitrate=2500 key-int-max=60',
  '  ! h264parse config-interval=-1 ! queue ! mux.',
];
const gstreamerAudio =
  '  audiotestsrc is-live=true ! audio/x-raw,rate=48000,channels=2 ! voaacenc bitrate=128000 ! aacparse ! queue ! mux.';

/** GStreamer command that publishes a test pattern over RTMP. */
export const gstreamerCommand = (rtmpUrl: string, streamKey: string): string =>
  [
    'gst-launch-1.0 -e flvmux name=mux streamable=true',
    `  ! rtmp2sink location=${quoteShellWord(`${rtmpUrl}/${streamKey}`)}`,
    ...gstreamerVideo,
    gstreamerAudio,
  ].join(' \\\n');

/**
 * GStreamer command that publishes a test pattern over SRT.
 * @param url URL with stream id and passphrase
 */
export const gstreamerSrtCommand = (url: string): string =>
  [
    // `alignment=7`: an SRT packet has room for seven packets of MPEG-TS.
    'gst-launch-1.0 -e mpegtsmux name=mux alignment=7',
    `  ! srtsink uri=${quoteShellWord(url)}`,
    ...gstreamerVideo,
    gstreamerAudio,
  ].join(' \\\n');

/** ffmpeg command that publishes a file in a loop over RTMP. */
export function fileCommand(rtmpUrl: string, streamKey: string): string {
  return [
    'ffmpeg -re -stream_loop -1 -i video.mp4',
    '  -c:v libx264 -preset veryfast -pix_fmt yuv420p',
    '  -b:v 2500k -g 60 -c:a aac -b:a 128k',
    `  -f flv ${quoteShellWord(`${rtmpUrl}/${streamKey}`)}`,
  ].join(' \\\n');
}

/**
 * Link that sets up the app Larix Broadcaster to publish to a stream over RTMP (https://softvelum.com/larix/grove/). It
 * replaces a connection with the same name.
 */
export const larixLink = (rtmpUrl: string, streamKey: string, name: string): string =>
  createLarixLink({ url: `${rtmpUrl}/${streamKey}`, name });

/** Link that sets up the app Larix Broadcaster to publish to a stream over SRT. */
export const larixSrtLink = ({
  srtUrl,
  streamKey,
  passphrase,
  name,
}: SrtTarget & { readonly name: string }): string =>
  createLarixLink({
    url: srtUrl,
    name,
    // Caller mode. `srtpbkl` is the key length in bytes: AES-256.
    srtmode: 'c',
    srtstreamid: streamKey,
    ...(passphrase === undefined ? {} : { srtpass: passphrase, srtpbkl: '32' }),
  });

function createLarixLink({
  url,
  name,
  ...options
}: Readonly<Record<'url' | 'name', string>> & Readonly<Record<string, string>>): string {
  // A longer name makes the QR code hard to scan.
  const shortName = Array.from(name).slice(0, 40).join('');
  const values = { url, name: shortName, ...options, overwrite: 'on' };
  const query = Object.entries(values).map(([key, value]) => `conn[][${key}]=${encodeURIComponent(value)}`);
  return `larix://set/v1?${query.join('&')}`;
}

/** Whether a URL has a host that can be reached from the server itself only. */
export function isLoopbackUrl(rtmpUrl: string): boolean {
  // Browsers parse the host of http URLs only.
  const { hostname } = new URL(rtmpUrl.replace(/^\w+:/, 'http:'));
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
