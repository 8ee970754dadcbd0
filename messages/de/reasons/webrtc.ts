import type { webrtc as english } from '@/lib/core/reasons/messages/webrtc';

export const webrtc: Readonly<Record<keyof typeof english, string>> = {
  rtc_nothing_answers:
    'Unter {url} antwortet nichts. Öffnen Sie den TCP-Port {port} von {host} (MEDIA_PORT oder der Port des Proxys davor).',
  rtc_offer_refused:
    '{url} antwortet mit Status {status} und nimmt kein Angebot an. Prüfen Sie den Stream-Schlüssel. Der Stream darf weder gesperrt noch live sein. Auf dem Server muss RTC_PORT gesetzt sein.',
  rtc_codec_refused:
    '{url} nimmt keinen der Codecs an, die dieses Programm anbietet (Status {status}). Verwenden Sie eines mit H.264.',
  rtc_unexpected_status:
    '{url} antwortet mit dem unerwarteten Status {status}. Sehen Sie im Log des Prozesses „rtc“ nach.',
  rtc_addresses: 'Der Server nennt diese Adressen für Bild und Ton: {addresses}.',
  rtc_no_addresses:
    'Der Server nennt keine Adresse für Bild und Ton. Sehen Sie im Log des Prozesses „rtc“ nach.',
  rtc_connected: 'UDP {address} antwortet: WebRTC funktioniert von hier.',
  rtc_relayed: 'Der TURN-Server {address} leitet Bild und Ton weiter: WebRTC funktioniert von hier.',
  rtc_udp_shut:
    'Keine davon antwortet über UDP. Öffnen Sie den UDP-Port {port} in der Firewall des Servers und der seines Anbieters. Ist er offen, sperrt dieses Netz UDP: Nennen Sie in ICE_SERVERS einen TURN-Server.',
  rtc_private_addresses:
    'Keine davon antwortet über UDP, und alle sind private Adressen. Setzen Sie auf dem Server RTC_PUBLIC_ADDRESSES auf die Adresse, unter der UDP-Port {port} von außen erreichbar ist.',
};
