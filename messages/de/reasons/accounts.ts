import type { accounts as english } from '@/lib/core/reasons/messages/accounts';

export const accounts: Readonly<Record<keyof typeof english, string>> = {
  not_authenticated: 'Melden Sie sich an',
  api_key_not_valid: 'Der API-Schlüssel ist nicht gültig',
  api_key_expired: 'Der API-Schlüssel ist abgelaufen',
  api_key_creator_left:
    'Der API-Schlüssel ist deaktiviert: Die Person, die ihn erstellt hat, ist nicht mehr im Team. Erstellen Sie einen neuen',
  api_key_creator_role:
    'Der API-Schlüssel ist deaktiviert: Die Person, die ihn erstellt hat, hat eine niedrigere Rolle erhalten. Erstellen Sie einen neuen',
  team_suspended: 'Das Team ist gesperrt',
  two_step_required:
    'Dieser Server verlangt die Anmeldung in zwei Schritten. Richten Sie sie hier ein: {where}',
  not_a_member: 'Sie sind kein Mitglied dieses Teams',
  wrong_origin_of_browser: 'Anmeldungen im Browser gelten nur unter {origin} (BASE_URL)',
  role_too_low:
    'Ihre Rolle in diesem Team ist {role, select, owner {Inhaber} admin {Admin} developer {Entwickler} viewer {Betrachter} other {{role}}}. Dafür ist die Rolle {least, select, owner {Inhaber} admin {Admin} developer {Entwickler} other {{least}}} nötig',
  scope_all_needs_admin: 'Ein Schlüssel mit allen Rechten setzt die Rolle Admin voraus, und Ihre ist {role}',
  scope_missing: 'Dem API-Schlüssel fehlt das Recht dafür: {scopes}',
  cors_refused: 'Der Schlüssel lässt keine Anfragen von {origin} zu',
  dashboard_only: 'Mit API-Schlüsseln nicht möglich. Verwenden Sie das Dashboard',
  browser_key_refused: 'Mit diesem eingeschränkten Browser-Schlüssel nicht möglich',
  operators_only: 'Das dürfen nur Betreiber. Die Einstellung OPERATOR_EMAILS nennt sie',
  operator_not_oneself: 'Betreiber können hier nicht ihr eigenes Konto sperren oder löschen',
  operator_protected:
    'Konten in OPERATOR_EMAILS können nicht gesperrt oder gelöscht werden. Ändern Sie zuerst die Einstellung',
  changed_meanwhile:
    'Eine andere Anfrage hat dasselbe Objekt gleichzeitig geändert. Versuchen Sie es noch einmal',
  value_cannot_be_stored: 'Ein Wert kann nicht gespeichert werden',
  method_not_allowed: '{method} ist nicht zulässig. Verwenden Sie {allowed}.',
  part_not_responding: 'antwortet nicht',
  too_many_sign_ups:
    'Zu viele Registrierungen von dieser Adresse. Versuchen Sie es in {seconds} s noch einmal',
  too_many_resends: 'Zu viele wiederholte Zustellungen. Versuchen Sie es in {seconds} s noch einmal',
  too_many_target_tests: 'Zu viele Tests von Zielen. Versuchen Sie es in {seconds} s noch einmal',
  too_many_reveals: 'Ein Geheimnis wurde zu oft abgefragt. Versuchen Sie es in {seconds} s noch einmal',
  too_many_of: 'Zu viele Anfragen dieser Art. Versuchen Sie es in {seconds} s noch einmal',
  login_unavailable:
    'Die Anmeldung ist vorübergehend nicht möglich. Versuchen Sie es in einer Minute noch einmal',
  login_expired: 'Diese Anmeldung ist abgelaufen. Geben Sie Ihr Passwort noch einmal ein',
  too_many_logins:
    'Zu viele Anmeldeversuche. Versuchen Sie es in {count} {unit, select, second {Sekunde} seconds {Sekunden} minute {Minute} minutes {Minuten} hour {Stunde} hours {Stunden} other {{unit}}} noch einmal',
  email_unchanged: 'ist bereits die Adresse dieses Kontos',
  too_many_confirmation_links:
    'Es wurden zu viele Bestätigungslinks gesendet. Versuchen Sie es in einer Stunde noch einmal',
  mail_not_accepted: 'Der Mailserver hat den Bestätigungslink nicht angenommen. Versuchen Sie es noch einmal',
  email_not_usable: 'Diese Adresse kann nicht verwendet werden. Wählen Sie eine andere',
  email_taken: '{email} hat bereits ein Konto',
  no_account_of_email: 'Es gibt kein Konto mit der Adresse {email}',
  account_of_email_suspended: 'Das Konto mit der Adresse {email} ist gesperrt',
  sign_up_closed_for_invitations:
    'Die Registrierung ist auf diesem Server geschlossen. Setzen Sie SIGN_UP=invite, um Personen einzuladen',
  too_many_invitations: 'Es gibt {limit} offene Einladungen. Widerrufen Sie einige davon',
  invitation_not_open:
    'Die Einladung ist nicht mehr offen: Sie ist {state, select, used {verwendet} expired {abgelaufen} revoked {widerrufen} other {{state}}}',
  sign_up_closed:
    'Die Registrierung ist auf diesem Server geschlossen. Bitten Sie den Betreiber des Servers um ein Konto.',
  sign_up_by_invitation:
    'Die Registrierung ist auf diesem Server nur mit einer Einladung möglich. Bitten Sie den Betreiber des Servers um einen Einladungslink.',
  invitation_not_valid:
    'Dieser Link ist unvollständig, abgelaufen, verwendet oder widerrufen. Bitten Sie um einen neuen.',
  invitation_for_another: 'Die Einladung gilt für eine andere Adresse',
  invitation_for: 'Sie gilt für {email}. Melden Sie sich mit dieser Adresse an.',
  link_not_valid:
    'Dieser Link ist unvollständig, abgelaufen oder bereits verwendet. Fordern Sie einen neuen an.',
  no_mail:
    'Dieser Server versendet keine E-Mails. Bitten Sie den Betreiber des Servers um einen Link zum Zurücksetzen Ihres Passworts.',
  mail_busy: 'Zu viele E-Mails warten auf den Versand. Versuchen Sie es noch einmal',
  member_already: '{email} ist bereits Mitglied des Teams',
  team_full: 'Ein Team kann {limit} Mitglieder haben. Entfernen Sie zuerst eines',
  too_many_teams: 'Eine Person kann in {limit} Teams sein. Verlassen Sie zuerst eines',
  owner_of_own_team: 'Dieses Team gehört zum Konto des Mitglieds, das sein Inhaber bleibt',
  team_needs_owner: 'Ein Team braucht einen Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber',
  team_of_account: 'Dieses Team gehört zu einem Konto und wird mit ihm gelöscht',
  too_many_passkeys: 'Ein Konto kann {limit} Passkeys haben. Entfernen Sie zuerst einen',
  passkey_not_verified:
    'Dieser Passkey konnte nicht geprüft werden. Beginnen Sie noch einmal, innerhalb von fünf Minuten.',
  passkey_known: 'Dieser Passkey wurde bereits hinzugefügt',
  two_step_off:
    'Die Anmeldung in zwei Schritten ist aus. Richten Sie zuerst eine Authenticator-App oder einen Passkey ein',
  passkeys_need_https: 'Passkeys funktionieren nur auf Servern mit HTTPS und einem Hostnamen in BASE_URL',
  app_set_up_already: 'Dieses Konto hat bereits eine Authenticator-App. Schalten Sie sie zuerst aus',
  code_wrong:
    'ist falsch oder wurde bereits verwendet. Warten Sie auf den nächsten Code und geben Sie diesen ein.',
  setup_expired: 'ist abgelaufen. Beginnen Sie die Einrichtung noch einmal.',
  no_app: 'Dieses Konto hat keine Authenticator-App',
  too_many_signing_keys:
    'Ein Team kann {limit} Signaturschlüssel haben. Löschen Sie einen, bevor Sie einen weiteren erstellen',
  too_many_api_keys: 'Ein Team kann {limit} API-Schlüssel haben. Löschen Sie zuerst einen',
  too_many_webhooks: 'Ein Team kann {limit} Webhooks haben. Löschen Sie zuerst einen',
  policy_password_missing: 'ist für den Typ password erforderlich',
  countries_unknown: 'Dieser Server hat keine Länderdatenbank. Sein Betreiber muss zuerst GEOIP_DB setzen',
  no_such_webhook: 'Es gibt keinen Webhook mit dieser ID',
  too_many_revoked_tokens:
    'Zu viele widerrufene Token. Ändern Sie die Wiedergaberichtlinie, um alle zu widerrufen',
  webhook_stream_unknown: 'muss die ID eines Streams dieses Teams sein',
  webhook_disabled: 'Der Webhook ist deaktiviert. Aktivieren Sie ihn zuerst',
  too_many_events_to_resend:
    'Der Zeitraum enthält {count, number} Ereignisse, und höchstens {limit, number} können auf einmal erneut gesendet werden. Wählen Sie einen kürzeren Zeitraum',
  too_many_waiting: 'Zu viele Anfragen warten auf Ereignisse',
  no_live_node: 'Von diesem Rechner ist kein Live-Knoten bekannt',
  no_such_node: 'Es gibt keinen Knoten mit der ID {id}',
  only_live_nodes_drain: 'Nur Live-Knoten können geleert werden. {id} hat die Rolle {role}',
  quota_live:
    'Livestreams: {used} von {limit} sind live. Beenden Sie einen oder bitten Sie den Betreiber dieses Dienstes um mehr.',
  quota_storage:
    'Speicher: {used} von {limit} sind belegt. Löschen Sie Assets oder bitten Sie den Betreiber dieses Dienstes um mehr.',
  quota_storage_arriving:
    'Speicher: {used} von {limit} sind belegt, und {arriving} kommen gerade an. Löschen Sie Assets oder bitten Sie den Betreiber dieses Dienstes um mehr.',
  quota_storage_file:
    'Speicher: {used} von {limit} sind belegt. Diese Datei hat {more}. Löschen Sie Assets oder bitten Sie den Betreiber dieses Dienstes um mehr.',
  quota_storage_arriving_file:
    'Speicher: {used} von {limit} sind belegt, und {arriving} kommen gerade an. Diese Datei hat {more}. Löschen Sie Assets oder bitten Sie den Betreiber dieses Dienstes um mehr.',
  quota_file: 'Upload: {more} sind mehr als die {limit}, die eine Datei haben darf',
  quota_renditions: 'Qualitätsstufen: {more} sind mehr als die {limit}, die ein Stream haben darf',
  quota_viewers:
    'Zuschauer: {used} von {limit} wurden diesen Monat übertragen. Die Wiedergabe geht nächsten Monat weiter oder sobald der Betreiber dieses Dienstes die Grenze anhebt.',
  quota_used: '{used} von {limit} sind belegt',
  quota_storage_reached: '{used} von {limit} sind belegt: Uploads, Importe und Aufnahmen werden abgelehnt',
  quota_viewers_reached:
    '{used} von {limit} sind verbraucht: Die Wiedergabe ist bis zum nächsten Monat gestoppt',
  database_lacks: 'Es fehlt {columns}: Führen Sie die Migrationen dieser Version aus',
};
