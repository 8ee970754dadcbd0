/**
 * Offers H.264 first, because the server packages it without transcoding and every browser plays it. Other codecs follow,
 * for browsers without H.264.
 */
export function preferH264(transceiver: RTCRtpTransceiver): void {
  const { codecs = [] } = RTCRtpSender.getCapabilities('video') ?? {};
  const rank = ({ mimeType, sdpFmtpLine = '' }: RTCRtpCodec) => {
    if (mimeType.toLowerCase() !== 'video/h264') return 2;
    return sdpFmtpLine.includes('packetization-mode=1') ? 0 : 1;
  };
  // Firefox has `setCodecPreferences` since version 128. Without it, the server still finds H.264 anywhere in the offer.
  if (codecs.length > 0 && 'setCodecPreferences' in transceiver)
    transceiver.setCodecPreferences([...codecs].sort((a, b) => rank(a) - rank(b)));
}
