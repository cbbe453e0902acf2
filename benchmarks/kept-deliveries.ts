/** @returns SQL for so many deliveries, one each 75 seconds, of which one of fifty has a problem */
export const keptDeliveries = (connectionId: string, count: number): string =>
  `INSERT INTO svc_delivery (id, connection_id, dedup_key, topic, event_uid, delivery_uid, occurred_at, received_at,
     outcome, reason, body, body_hash, bytes, headers)
   SELECT 'svcdel_bench_' || lpad(d::text, 7, '0'), '${connectionId}', md5('key' || d),
     (ARRAY['live_event.created', 'live_event.updated', 'live_event_product.created', 'live_event_product.updated'])[1 + d % 4],
     'event-uid-' || d, 'delivery-uid-' || d, at, at,
     CASE d % 100 WHEN 0 THEN 'failed' WHEN 1 THEN 'quarantined' WHEN 2 THEN 'duplicate' WHEN 3 THEN 'stale' ELSE 'applied' END,
     CASE WHEN d % 100 < 2 THEN jsonb_build_object('code', 'given_up', 'message', 'It could not be applied for a day.', 'fix', 'Nothing to do.') END,
     '{"data":{"event":{"id":"event-' || d || '"}},"filler":"' || repeat('x', 800) || '"}', md5('body' || d), 900,
     '{"x-svc-topic":"live_event.updated"}'
   FROM generate_series(1, ${count}) d, LATERAL (SELECT now() - d * interval '75 seconds' AS at) times`
