/** The server packages H.264 as it comes, and every browser plays it. Others follow, for browsers without it. */
export function preferH264(transceiver: RTCRtpTransceiver): void {
  const { codecs = [] } = RTCRtpSender.getCapabilities('video') ?? {};
  const rank = ({ mimeType, sdpFmtpLine = '' }: RTCRtpCodec) => {
    if (mimeType.toLowerCase() !== 'video/h264') return 2;
    return sdpFmtpLine.includes('packetization-mode=1') ? 0 : 1;
  };
  // Firefox has it since version 128; the server takes H.264 wherever it is in the offer.
  if (codecs.length > 0 && 'setCodecPreferences' in transceiver)
    transceiver.setCodecPreferences([...codecs].sort((a, b) => rank(a) - rank(b)));
}
