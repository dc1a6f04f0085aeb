-- Counts requests of an address, as memory-tally.ts does.
-- KEYS: the hash of the address. ARGV: how many more, 0 to read alone, and the time in
-- milliseconds since 1970, or '' for the clock of Redis.
-- Gives events and milliseconds left of the window.

local MINUTE = 60000

local more, now = tonumber(ARGV[1]), tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local kept = redis.call('HMGET', KEYS[1], 'events', 'ends')
local events, ends = tonumber(kept[1]), tonumber(kept[2]) or 0
-- What ends too late began before the clock was set back.
if ends <= now or ends > now + MINUTE then events, ends = 0, now + MINUTE end

if more > 0 then
  events = events + more
  redis.call('HSET', KEYS[1], 'events', events, 'ends', ends)
  -- Clears up; that a window is over is told by its end.
  redis.call('PEXPIRE', KEYS[1], MINUTE)
end
return { events, ends - now }
