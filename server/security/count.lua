-- Counts a request of an API key or an address, as `MemoryRateLimiter` does.
-- KEYS: the hash of the key or the address.
-- ARGV: the limits of a minute and of a day; rejections that lead to a ban; milliseconds of a ban;
-- the time in milliseconds, or '' for the clock of Redis.
-- Without a limit of a day, or without bans, theirs are ''.
-- Returns the outcome, then requests and milliseconds left of the minute and of the day, and
-- milliseconds left of the ban.

local MINUTE, DAY = 60000, 86400000

local perMinute, perDay = tonumber(ARGV[1]), tonumber(ARGV[2])
local banAfter, banLength = tonumber(ARGV[3]), tonumber(ARGV[4])
local now = tonumber(ARGV[5])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local stored = redis.call('HMGET', KEYS[1],
  'minute', 'minuteEnd', 'day', 'dayEnd', 'rejections', 'rejectionsEnd', 'bannedUntil')

-- Returns the window if it has not ended, else a new one. One that ends too late began before the
-- clock of Redis was set back.
local function current(index, length)
  local ends = tonumber(stored[index + 1]) or 0
  if ends > now and ends <= now + length then return tonumber(stored[index]), ends end
  return 0, now + length
end

local minute, minuteEnd = current(1, MINUTE)
local day, dayEnd = current(3, DAY)
local banEnd = tonumber(stored[7]) or 0
if banLength and banEnd > now + banLength then banEnd = 0 end

local function counts(outcome)
  return { outcome, minute, minuteEnd - now, day, dayEnd - now, banEnd - now }
end

-- Expiry only frees memory: a window is over at its end.
local function store(...)
  redis.call('HSET', KEYS[1], ...)
  local last = perDay and dayEnd or minuteEnd
  redis.call('PEXPIRE', KEYS[1], math.max(last, banEnd, now + MINUTE) - now)
end

if banEnd > now then return counts('banned') end

if minute < perMinute and (not perDay or day < perDay) then
  minute, day = minute + 1, day + 1
  store('minute', minute, 'minuteEnd', minuteEnd, 'day', day, 'dayEnd', dayEnd)
  return counts('allowed')
end
if not banAfter then return counts('limited') end

local rejections, rejectionsEnd = current(5, MINUTE)
rejections = rejections + 1
if rejections < banAfter then
  store('rejections', rejections, 'rejectionsEnd', rejectionsEnd)
  return counts('limited')
end

-- The next ban takes as many rejections again.
banEnd = now + banLength
store('rejections', 0, 'rejectionsEnd', 0, 'bannedUntil', banEnd)
return counts('ban-started')
