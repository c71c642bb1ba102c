{{/*
What the operator does in a namespace, verb by verb. A new kind of object that a journey owns gets its rule here, and nowhere else.
Secrets are in no rule: pods mount them, the operator never reads them.
*/}}
{{- define "ragjourney.rules" -}}
- apiGroups: [ragjourney.dev]
  resources: [ragjourneys]
  verbs: [list, watch]
- apiGroups: [ragjourney.dev]
  resources: [ragjourneys/status]
  verbs: [patch]
- apiGroups: [""]
  resources: [configmaps]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [""]
  resources: [services]
  verbs: [get, list, watch, create, patch]
- apiGroups: [""]
  resources: [serviceaccounts]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [apps]
  resources: [deployments]
  verbs: [get, list, watch, create, patch]
- apiGroups: [policy]
  resources: [poddisruptionbudgets]
  verbs: [get, list, watch, create, patch]
# What a journey may be without: made, and removed again when it is switched off.
- apiGroups: [autoscaling]
  resources: [horizontalpodautoscalers]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [networking.k8s.io]
  resources: [networkpolicies]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [monitoring.coreos.com]
  resources: [podmonitors, prometheusrules]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [""]
  resources: [pods]
  {{- if .Values.announcePlans }}
  # Patched for one annotation only, which makes a new plan arrive in a second instead of a minute.
  verbs: [list, watch, patch]
  {{- else }}
  verbs: [list, watch]
  {{- end }}
- apiGroups: [""]
  resources: [events]
  verbs: [create, patch]
{{- end -}}
