import { PARTITIONS } from "./partition.ts";

/** Tables that stand once per service database, beside its logs. */
export const SERVICE_TABLES = `
create schema if not exists runtime;
create schema if not exists documents;
create schema if not exists private;
create table if not exists runtime.checkpoints (
  reader text collate "C" not null, source text collate "C" not null, partition smallint not null, position bigint not null,
  primary key (reader, source, partition));
create table if not exists runtime.held (
  reader text collate "C" not null, source text collate "C" not null, stream text collate "C" not null,
  partition smallint not null, sequence bigint not null, event jsonb not null, tenant text, kind text not null, cause text not null,
  attempts integer not null default 0, due timestamptz not null default now(), held_at timestamptz not null default now(),
  primary key (reader, source, stream, sequence));
create table if not exists runtime.jobs (
  name text collate "C" not null, key text collate "C" not null, due timestamptz not null, payload jsonb,
  run bigint not null default 0, puts integer not null default 0, lease_until timestamptz, not_before timestamptz, attempts integer not null default 0, last_error text,
  primary key (name, key));
create index if not exists jobs_due on runtime.jobs (due);
create table if not exists runtime.answers (
  caller text collate "C" not null, key text collate "C" not null, body_hash text not null, status integer not null, answer jsonb not null,
  position text, kept_until timestamptz not null,
  primary key (caller, key));
create table if not exists runtime.read_models (
  name text collate "C" not null, version integer not null, ready boolean not null default false, superseded_at timestamptz,
  primary key (name, version));
`;

/** The lock class of checkpoints, jobs, answers and held streams, which all logs of a database share. */
const KEY_LOCKS = 1_000_000;

const EVENT_COLUMNS = "partition, sequence, stream, version, id, type, data, meta, recorded_at";

/**
 * One log: its events, and the function that appends to it. Units stand or fall alone and as a whole. Locks are taken in one
 * ascending order, each once in its strongest mode, before anything is read: partitions 0 to 15, then the 256 keys that
 * checkpoints, jobs and answers hash to. Everything is judged by statements that begin after the locks are held.
 */
export const logSchema = (log: string, lockClass: number): string => `
create schema if not exists ${log};
create table if not exists ${log}.events (
  partition smallint not null, sequence bigint not null, stream text collate "C" not null, version integer not null,
  id uuid not null, type text not null, data jsonb not null, meta jsonb not null, recorded_at timestamptz not null,
  primary key (partition, sequence), unique (stream, version));
create or replace function ${log}.append(
  p_now timestamptz,
  l_partition int[], l_exclusive boolean[], l_keys int[],
  u_count int, u_rest text[],
  a_unit int[], a_stream text[], a_partition int[], a_expect int[], a_count int[], a_prior int[],
  e_append int[], e_offset int[], e_id uuid[], e_type text[], e_data text[], e_meta text[],
  g_unit int[], g_stream text[], g_version int[],
  c_unit int[], c_reader text[], c_source text[], c_partition int[], c_from bigint[], c_to bigint[],
  out refused text[], out first bigint[], out base int[]
) language plpgsql volatile as $append$
declare
  heads bigint[] := array_fill(0::bigint, array[${PARTITIONS}]);
  times timestamptz[] := array_fill(p_now, array[${PARTITIONS}]);
  versions int[];
  guards int[];
  positions bigint[];
  rest jsonb;
  item jsonb;
  head record;
  u int;
  p int;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'append judges by statements after its locks: isolation must be read committed';
  end if;
  perform case when l.x then pg_advisory_xact_lock(${lockClass}, l.p) else pg_advisory_xact_lock_shared(${lockClass}, l.p) end
    from unnest(l_partition, l_exclusive) l(p, x);
  perform pg_advisory_xact_lock(${KEY_LOCKS}, k) from unnest(l_keys) k;

  refused := array_fill(null::text, array[u_count]);
  for head in
    select l.p, h.sequence, h.recorded_at from unnest(l_partition, l_exclusive) l(p, x)
      cross join lateral (select e.sequence, e.recorded_at from ${log}.events e where e.partition = l.p order by e.sequence desc limit 1) h
      where l.x
  loop
    heads[head.p + 1] := head.sequence;
    times[head.p + 1] := greatest(p_now, head.recorded_at);
  end loop;
  select array_agg(coalesce((select e.version from ${log}.events e where e.stream = s.stream order by e.version desc limit 1), 0) order by s.i)
    into versions from unnest(a_stream) with ordinality s(stream, i);
  for i in 1 .. coalesce(array_length(a_unit, 1), 0) loop
    if a_expect[i] >= 0 and versions[i] <> a_expect[i] then
      refused[a_unit[i]] := coalesce(refused[a_unit[i]], 'version');
    end if;
  end loop;
  if array_length(g_unit, 1) > 0 then
    select array_agg(coalesce((select e.version from ${log}.events e where e.stream = s.stream order by e.version desc limit 1), 0) order by s.i)
      into guards from unnest(g_stream) with ordinality s(stream, i);
    for i in 1 .. array_length(g_unit, 1) loop
      if guards[i] <> g_version[i] then
        refused[g_unit[i]] := coalesce(refused[g_unit[i]], 'guard');
      end if;
    end loop;
  end if;
  if array_length(c_unit, 1) > 0 then
    select array_agg(coalesce((select k.position from runtime.checkpoints k where k.reader = c.reader and k.source = c.source and k.partition = c.partition), 0) order by c.i)
      into positions from unnest(c_reader, c_source, c_partition) with ordinality c(reader, source, partition, i);
    for i in 1 .. array_length(c_unit, 1) loop
      if positions[i] <> c_from[i] then
        refused[c_unit[i]] := coalesce(refused[c_unit[i]], 'checkpoint');
      end if;
    end loop;
  end if;
  for i in 1 .. u_count loop
    if u_rest[i] is not null then
      rest := u_rest[i]::jsonb;
      if rest ? 'answer' and exists (select from runtime.answers a where a.caller = rest->'answer'->>'caller' and a.key = rest->'answer'->>'key'
          and a.kept_until > clock_timestamp()) then
        refused[i] := 'answered';
      end if;
      if refused[i] is null and rest ? 'run' then
        perform from runtime.jobs j where j.name = rest->'run'->>'name' and j.key = rest->'run'->>'key'
          and j.run = (rest->'run'->>'run')::bigint and j.lease_until is not null for share;
        if not found then
          refused[i] := 'run';
        end if;
      end if;
      if refused[i] is not null then
        continue;
      elsif rest ? 'behind' and exists (select from jsonb_array_elements(rest->'behind') r where not exists (
          select from runtime.held h where h.reader = r->>'reader' and h.source = r->>'source' and h.stream = r->>'stream')) then
        refused[i] := 'released';
      elsif rest ? 'release' and exists (select from jsonb_array_elements(rest->'release') r where not exists (
          select from runtime.held h where h.reader = r->>'reader' and h.source = r->>'source' and h.stream = r->>'stream' and h.sequence = (r->>'sequence')::bigint)) then
        refused[i] := 'released';
      end if;
    end if;
  end loop;

  first := array_fill(null::bigint, array[coalesce(array_length(a_unit, 1), 0)]);
  base := array_fill(0, array[coalesce(array_length(a_unit, 1), 0)]);
  for i in 1 .. coalesce(array_length(a_unit, 1), 0) loop
    if refused[a_unit[i]] is null then
      p := a_partition[i] + 1;
      first[i] := heads[p];
      base[i] := versions[i] + a_prior[i];
      heads[p] := heads[p] + a_count[i];
    end if;
  end loop;
  insert into ${log}.events (${EVENT_COLUMNS})
    select a_partition[e.a], first[e.a] + e.o, a_stream[e.a], base[e.a] + e.o, e.id, e.type, e.data::jsonb, e.meta::jsonb, times[a_partition[e.a] + 1]
    from unnest(e_append, e_offset, e_id, e_type, e_data, e_meta) e(a, o, id, type, data, meta)
    where first[e.a] is not null;
  if array_length(c_unit, 1) > 0 then
    insert into runtime.checkpoints (reader, source, partition, position)
      select c.reader, c.source, c.partition, c.t from unnest(c_unit, c_reader, c_source, c_partition, c_to) c(u, reader, source, partition, t)
      where refused[c.u] is null
      on conflict (reader, source, partition) do update set position = excluded.position;
  end if;
  for i in 1 .. u_count loop
    if u_rest[i] is not null and refused[i] is null then
      rest := u_rest[i]::jsonb;
      if rest ? 'answer' then
        item := rest->'answer';
        insert into runtime.answers (caller, key, body_hash, status, answer, position, kept_until)
          values (item->>'caller', item->>'key', item->>'body_hash', (item->>'status')::int, item->'answer',
            (select string_agg(a_partition[a] || ':' || (first[a] + a_count[a]), ',') from generate_subscripts(a_unit, 1) a where a_unit[a] = i), clock_timestamp() + interval '7 days')
          on conflict (caller, key) do update set body_hash = excluded.body_hash, status = excluded.status, answer = excluded.answer, position = excluded.position, kept_until = excluded.kept_until;
      end if;
      if rest ? 'hold' then
        insert into runtime.held (reader, source, stream, partition, sequence, event, tenant, kind, cause, attempts, due)
          select h.reader, h.source, h.stream, h.partition, h.sequence, h.event, h.tenant, h.kind, h.cause, h.attempts, clock_timestamp() + make_interval(secs => h.wait)
          from jsonb_to_recordset(rest->'hold') h(reader text, source text, stream text, partition smallint, sequence bigint, event jsonb, tenant text, kind text, cause text, attempts int, wait float8)
          on conflict (reader, source, stream, sequence) do update set kind = excluded.kind, cause = excluded.cause, attempts = excluded.attempts, due = excluded.due;
      end if;
      if rest ? 'release' then
        delete from runtime.held h using jsonb_to_recordset(rest->'release') r(reader text, source text, stream text, sequence bigint)
          where h.reader = r.reader and h.source = r.source and h.stream = r.stream and h.sequence = r.sequence;
      end if;
      if rest ? 'jobs' then
        insert into runtime.jobs as j (name, key, due, payload)
          select r.name, r.key, r.due, r.payload from jsonb_to_recordset(rest->'jobs') r(name text, key text, due timestamptz, payload jsonb)
          on conflict (name, key) do update set due = excluded.due, payload = excluded.payload, attempts = 0, not_before = null, puts = j.puts + 1;
      end if;
    end if;
  end loop;
end $append$;
`;

/** What the service's own role may do: append and read events, never change or remove one. */
export const grants = (logs: readonly string[], role: string, readerRole: string): string => `
grant usage on schema runtime, private to ${role};
grant usage, create on schema documents, private to ${role};
grant select, insert, update, delete on all tables in schema runtime to ${role};
alter default privileges in schema private grant select, insert, update, delete on tables to ${role};
${logs
  .map(
    (log) => `
grant usage on schema ${log} to ${role}, ${readerRole};
grant select, insert on ${log}.events to ${role};
grant select on ${log}.events to ${readerRole};
revoke all on function ${log}.append from public;
grant execute on function ${log}.append to ${role};`,
  )
  .join("")}
`;
