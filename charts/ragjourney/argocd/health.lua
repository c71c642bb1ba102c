-- Health of a RagJourney for Argo CD: resource.customizations.health.ragjourney.dev_RagJourney in argocd-cm.
-- Answers that are degraded, or missed, above the journey's objective make it Degraded only when that lasts this long.
-- 0: at once.
local sustained_minutes = 15

-- Argo CD gives a health check no library but a clock. Times of conditions are UTC to the second, so they compare as text;
-- out of os.time and back through os.date cancels the time zone of whoever runs this.
local function sustained(condition)
  local found, os = pcall(require, "os")
  if not found or os.time == nil or condition.lastTransitionTime == nil then
    return true
  end
  local now = os.date("!*t")
  local before = os.time({
    year = now.year, month = now.month, day = now.day,
    hour = now.hour, min = now.min - sustained_minutes, sec = now.sec
  })
  return condition.lastTransitionTime <= os.date("%Y-%m-%dT%H:%M:%SZ", before)
end

local annotations = obj.metadata.annotations
if annotations ~= nil and annotations["ragjourney.dev/paused"] == "true" then
  return {status = "Suspended", message = "paused by the annotation ragjourney.dev/paused; what runs goes on"}
end

if obj.status == nil or obj.status.observedGeneration ~= obj.metadata.generation then
  return {status = "Progressing", message = "the operator has not seen this generation yet"}
end

local conditions = {}
if obj.status.conditions ~= nil then
  for _, condition in ipairs(obj.status.conditions) do
    conditions[condition.type] = condition
  end
end

local function is(type, status)
  return conditions[type] ~= nil and conditions[type].status == status
end

if is("Stalled", "True") then
  return {status = "Degraded", message = conditions["Stalled"].message}
end
if not is("Ready", "True") then
  local ready = conditions["Ready"]
  return {status = "Progressing", message = ready ~= nil and ready.message or "the operator has not judged it yet"}
end

local message = conditions["Ready"].message
for _, bad in ipairs({{"WithinBudget", "False"}, {"DegradedRateHigh", "True"}}) do
  if is(bad[1], bad[2]) then
    if sustained(conditions[bad[1]]) then
      return {status = "Degraded", message = conditions[bad[1]].message}
    end
    message = conditions[bad[1]].message .. "; for less than " .. sustained_minutes .. " minutes"
  end
end
return {status = "Healthy", message = message}
