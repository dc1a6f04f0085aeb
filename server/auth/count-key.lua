-- Counts a request of a key and decides on it, as memory-tally.ts does.
-- KEYS: the hash of the key. ARGV: requests a minute, requests a day, refusals that ban,
-- milliseconds of a ban, and the time in milliseconds since 1970, or '' for the clock of Redis.
-- Gives the outcome, then events and milliseconds left of the minute and of the day, and
-- milliseconds left of the ban.

local MINUTE, DAY = 60000, 86400000

local perMinute, perDay = tonumber(ARGV[1]), tonumber(ARGV[2])
local banAfter, banLength = tonumber(ARGV[3]), tonumber(ARGV[4])
local now = tonumber(ARGV[5])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local kept = redis.call('HMGET', KEYS[1],
  'minute', 'minuteEnd', 'day', 'dayEnd', 'refusals', 'refusalsEnd', 'bannedUntil')

-- The window as it is now: a new one when it is over. What ends too late began before the clock
-- was set back.
local function running(at, length)
  local ends = tonumber(kept[at + 1]) or 0
  if ends > now and ends <= now + length then return tonumber(kept[at]), ends end
  return 0, now + length
end

local minute, minuteEnd = running(1, MINUTE)
local day, dayEnd = running(3, DAY)
local bannedUntil = tonumber(kept[7]) or 0
if bannedUntil > now + banLength then bannedUntil = 0 end

local function verdict(outcome)
  return { outcome, minute, minuteEnd - now, day, dayEnd - now, bannedUntil - now }
end

-- What expires is cleared up; that a window is over is told by its end.
local function keep(...)
  redis.call('HSET', KEYS[1], ...)
  redis.call('PEXPIRE', KEYS[1], math.max(minuteEnd, dayEnd, bannedUntil, now + MINUTE) - now)
end

if bannedUntil > now then return verdict('banned') end

if minute < perMinute and day < perDay then
  minute, day = minute + 1, day + 1
  keep('minute', minute, 'minuteEnd', minuteEnd, 'day', day, 'dayEnd', dayEnd)
  return verdict('allowed')
end

local refusals, refusalsEnd = running(5, MINUTE)
refusals = refusals + 1
if refusals < banAfter then
  keep('refusals', refusals, 'refusalsEnd', refusalsEnd)
  return verdict('limited')
end

-- The next ban takes as many refusals again.
bannedUntil = now + banLength
keep('refusals', 0, 'refusalsEnd', 0, 'bannedUntil', bannedUntil)
return verdict('ban-begun')
