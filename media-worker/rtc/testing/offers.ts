/** Trims the lines of a template and ends them with CRLF. */
const toCrlfLines = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => `${line.trim()}\r\n`)
    .join('');

/** The video section of a Chromium offer, with fewer codecs. */
export const browserVideo = toCrlfLines(`
  m=video 9 UDP/TLS/RTP/SAVPF 96 103 104 109
  c=IN IP4 0.0.0.0
  a=rtcp:9 IN IP4 0.0.0.0
  a=ice-ufrag:EsAw
  a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1
  a=ice-options:trickle
  a=fingerprint:sha-256 43:E9:CA:BB:DF:E4:1E:FC:BB:44:90:1C:E9:DA:4B:10:8D:1A:21:69:3F:31:C2:26:5C:86:11:CC:E6:2B:26:83
  a=setup:actpass
  a=mid:1
  a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
  a=extmap:4 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
  a=sendonly
  a=msid:- 3c1c
  a=rtcp-mux
  a=rtcp-rsize
  a=rtpmap:96 VP8/90000
  a=rtcp-fb:96 goog-remb
  a=rtcp-fb:96 transport-cc
  a=rtpmap:103 H264/90000
  a=rtcp-fb:103 nack
  a=fmtp:103 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f
  a=rtpmap:104 rtx/90000
  a=fmtp:104 apt=103
  a=rtpmap:109 H264/90000
  a=rtcp-fb:109 goog-remb
  a=rtcp-fb:109 transport-cc
  a=rtcp-fb:109 ccm fir
  a=rtcp-fb:109 nack
  a=rtcp-fb:109 nack pli
  a=fmtp:109 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f
  a=ssrc:1111 cname:x
`);

/** An offer of Chromium that sends audio and video, with fewer codecs. */
export const browserOffer =
  toCrlfLines(`
  v=0
  o=- 2985474395482194345 2 IN IP4 127.0.0.1
  s=-
  t=0 0
  a=group:BUNDLE 0 1
  a=extmap-allow-mixed
  a=msid-semantic: WMS
  m=audio 9 UDP/TLS/RTP/SAVPF 111 63 9
  c=IN IP4 0.0.0.0
  a=rtcp:9 IN IP4 0.0.0.0
  a=ice-ufrag:EsAw
  a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1
  a=ice-options:trickle
  a=fingerprint:sha-256 43:E9:CA:BB:DF:E4:1E:FC:BB:44:90:1C:E9:DA:4B:10:8D:1A:21:69:3F:31:C2:26:5C:86:11:CC:E6:2B:26:83
  a=setup:actpass
  a=mid:0
  a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level
  a=sendonly
  a=msid:- 9b0a
  a=rtcp-mux
  a=rtpmap:111 opus/48000/2
  a=rtcp-fb:111 transport-cc
  a=fmtp:111 minptime=10;useinbandfec=1
  a=rtpmap:63 red/48000/2
  a=fmtp:63 111/111
  a=rtpmap:9 G722/8000
  a=ssrc:2222 cname:x
`) + browserVideo;

/** An offer of Chromium whose video has three layers. Chromium declares no SSRCs of layers. */
export const layeredOffer = browserOffer.replace(
  'a=ssrc:1111 cname:x\r\n',
  toCrlfLines(`
    a=extmap:9 urn:ietf:params:rtp-hdrext:sdes:mid
    a=extmap:10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id
    a=extmap:11 urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id
    a=rid:h send
    a=rid:m send
    a=rid:l send
    a=simulcast:send h;m;l
  `),
);
