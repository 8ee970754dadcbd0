import type { network as english } from '@/lib/core/reasons/messages/network';

export const network: Readonly<Record<keyof typeof english, string>> = {
  no_public_address_accepted:
    'Die Verbindung schlug fehl: Keine öffentliche Adresse dieses Hosts nahm sie an',
  response_not_started: 'Die Antwort begann nicht rechtzeitig',
  response_stalled: 'Die Antwort kam nicht voran',
  response_headers_too_long: 'Die Header der Antwort sind zu lang',
  response_not_http: 'Die Antwort ist kein gültiges HTTP',
  request_not_sendable:
    'Die Anfrage kann nicht gesendet werden: Methode, Header oder Länge sind nicht gültig',
  connection_closed_early: 'Die Verbindung wurde geschlossen, bevor die Antwort vollständig war',
  no_tls: 'Keine TLS-Verbindung zum Empfänger: {reason} ({code})',
  certificate_self_signed:
    'Sein Zertifikat ist selbst signiert. Verwenden Sie eines von einer öffentlichen Zertifizierungsstelle',
  certificate_expired: 'Sein Zertifikat ist abgelaufen',
  certificate_not_yet_valid: 'Sein Zertifikat ist noch nicht gültig',
  certificate_of_another_host: 'Sein Zertifikat gilt für einen anderen Hostnamen',
  certificate_chain:
    'Sein Zertifikat führt zu keiner bekannten Stelle. Senden Sie auch die Zwischenzertifikate',
  certificate_not_accepted: 'Sein Zertifikat oder der Handshake wurde nicht angenommen',
  address_not_url: 'Die Adresse ist keine URL',
  address_not_http: 'Die Adresse muss mit http:// oder https:// beginnen',
  address_with_credentials: 'Die Adresse darf weder Benutzernamen noch Passwort enthalten',
  host_too_long: 'Der Hostname ist zu lang',
  redirects_upload: 'Die Adresse leitet einen Upload um, der nur einmal gesendet werden kann',
  redirects_to_http: 'Die Adresse leitet von https auf http um',
  header_not_settable: 'Der Header {name} kann nicht gesetzt werden',
  too_many_redirects: 'Die Adresse leitet zu oft um',
  response_too_long: 'Die Antwort ist länger als {limit, number} Bytes',
  request_aborted: 'Die Anfrage wurde abgebrochen',
  no_response_in_time: 'Innerhalb von {seconds} s kam keine vollständige Antwort',
  skipped_webhook_disabled: 'Übersprungen: Der Webhook ist deaktiviert',
  skipped_webhook_deleted: 'Übersprungen: Der Webhook wurde gelöscht',
  skipped_account_suspended: 'Übersprungen: Das Konto ist gesperrt',
  receiver_answered: 'Der Empfänger antwortete mit {status}',
  receiver_redirects: 'Der Empfänger antwortete mit {status}, und Umleitungen wird nicht gefolgt',
  delivery_not_sent: 'Der Dienst konnte es nicht senden',
  delivery_unknown: 'Der Dienst wurde beendet, bevor die Antwort bekannt war',
  webhook_gone: 'Deaktiviert: Der Empfänger antwortete mit 410 Gone',
  webhook_kept_failing: 'Deaktiviert: Zustellungen schlugen immer wieder fehl',
  deliveries_failing_because: 'Zustellungen schlagen fehl: {reason}',
  deliveries_failing: 'Zustellungen schlagen fehl',
};
