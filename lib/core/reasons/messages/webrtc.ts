/** Findings of a WebRTC connection test, by code, for the command `rtc:check` and the go-live page. */
export const webrtc = {
  rtc_nothing_answers:
    'Nothing answers at {url}. Open TCP port {port} of {host} (MEDIA_PORT, or the port of the proxy in front of it).',
  rtc_offer_refused:
    '{url} answers with status {status} and takes no offer. Check the stream key. The stream must not be suspended or live. On the server, RTC_PORT must be set.',
  rtc_codec_refused:
    '{url} takes none of the codecs that this client offers (status {status}). Use one with H.264.',
  rtc_unexpected_status:
    '{url} answers with the unexpected status {status}. See the log of the process "rtc".',
  rtc_addresses: 'The server names these addresses for media: {addresses}.',
  rtc_no_addresses: 'The server names no address for media. See the log of the process "rtc".',
  rtc_connected: 'UDP {address} answers: WebRTC works from here.',
  rtc_relayed: 'The TURN server {address} passes media on: WebRTC works from here.',
  rtc_udp_shut:
    'None of them answers over UDP. Open UDP port {port} in the firewall of the server and of its provider. If it is open, this network blocks UDP: name a TURN server in ICE_SERVERS.',
  rtc_private_addresses:
    'None of them answers over UDP, and all are private addresses. On the server, set RTC_PUBLIC_ADDRESSES to the address where UDP port {port} is reached from outside.',
} as const;
