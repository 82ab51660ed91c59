// What the API server would say of the manifests: each is rendered as `kubectl kustomize` does it, decoded strictly into the API's own types, and
// has what measuring needs, and no right beyond that.
package kubernetes

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	helm "github.com/fluxcd/helm-controller/api/v2"
	flux "github.com/fluxcd/kustomize-controller/api/v1"
	source "github.com/fluxcd/source-controller/api/v1"
	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	rbac "k8s.io/api/rbac/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// newObject is an empty object of what a manifest may be.
func newObject(apiVersion, kind string) any {
	switch apiVersion + "/" + kind {
	case "v1/Namespace":
		return &core.Namespace{}
	case "v1/ServiceAccount":
		return &core.ServiceAccount{}
	case "v1/ConfigMap":
		return &core.ConfigMap{}
	case "batch/v1/Job":
		return &batch.Job{}
	case "apps/v1/DaemonSet":
		return &apps.DaemonSet{}
	case "rbac.authorization.k8s.io/v1/ClusterRole":
		return &rbac.ClusterRole{}
	case "rbac.authorization.k8s.io/v1/RoleBinding":
		return &rbac.RoleBinding{}
	case "source.toolkit.fluxcd.io/v1/GitRepository":
		return &source.GitRepository{}
	case "kustomize.toolkit.fluxcd.io/v1/Kustomization":
		return &flux.Kustomization{}
	case "helm.toolkit.fluxcd.io/v2/HelmRelease":
		return &helm.HelmRelease{}
	}
	return nil
}

// decode is strict: unknown and repeated fields are errors, as with `kubectl apply --validate=strict`.
func decode(text []byte) (any, error) {
	var kind struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if err := yaml.Unmarshal(text, &kind); err != nil {
		return nil, err
	}
	object := newObject(kind.APIVersion, kind.Kind)
	if object == nil {
		return nil, fmt.Errorf("%s %q is none of the kinds that are expected", kind.APIVersion, kind.Kind)
	}
	return object, yaml.UnmarshalStrict(text, object)
}

// render is `kubectl kustomize FOLDER`.
func render(t *testing.T, folder string) []any {
	t.Helper()
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		t.Fatalf("%s: %v", folder, err)
	}
	var objects []any
	for _, resource := range resources.Resources() {
		text, err := resource.AsYAML()
		if err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
		object, err := decode(text)
		if err != nil {
			t.Errorf("%s: %s: %v", folder, resource.CurId(), err)
			continue
		}
		objects = append(objects, object)
	}
	return objects
}

func of[T any](objects []any) []T {
	var found []T
	for _, object := range objects {
		if typed, is := object.(T); is {
			found = append(found, typed)
		}
	}
	return found
}

// one is the only object of its kind.
func one[T any](t *testing.T, objects []any) T {
	t.Helper()
	found := of[T](objects)
	if len(found) != 1 {
		t.Fatalf("got %d of %T, expected one", len(found), *new(T))
	}
	return found[0]
}

func folders(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		if filepath.Base(path) == "kustomization.yaml" {
			found = append(found, filepath.Dir(path))
		}
		return err
	})
	if err != nil || len(found) < 5 {
		t.Fatalf("found %d folders with a kustomization.yaml: %v", len(found), err)
	}
	return found
}

func TestEveryKustomizationIsOfKnownFields(t *testing.T) {
	for _, folder := range folders(t) {
		if len(render(t, folder)) == 0 {
			t.Errorf("%s: renders nothing", folder)
		}
	}
}

func TestDecodingIsStrict(t *testing.T) {
	for text, expected := range map[string]string{
		"apiVersion: batch/v1\nkind: Job\nspec:\n  backoffLimits: 0\n":                   "unknown field",
		"apiVersion: batch/v1\nkind: Job\nspec:\n  backoffLimit: 0\n  backoffLimit: 0\n": "already set",
		"apiVersion: batch/v1\nkind: Job\nspec:\n  backoffLimit: none\n":                 "cannot unmarshal",
		"apiVersion: batch/v2\nkind: Job\n":                                              "none of the kinds",
	} {
		if _, err := decode([]byte(text)); err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("%q: got %v, expected an error with %q", text, err, expected)
		}
	}
}

// The Jobs of all overlays.
func jobs(t *testing.T) map[string][]any {
	t.Helper()
	found := map[string][]any{}
	for _, folder := range folders(t) {
		if objects := render(t, folder); len(of[*batch.Job](objects)) > 0 {
			found[folder] = objects
		}
	}
	if len(found) < 3 {
		t.Fatalf("found Jobs in %d folders", len(found))
	}
	return found
}

func TestJobsEndAndAreNotRepeated(t *testing.T) {
	for folder, objects := range jobs(t) {
		job := one[*batch.Job](t, objects)
		if job.Spec.BackoffLimit == nil || *job.Spec.BackoffLimit != 0 {
			t.Errorf("%s: backoffLimit is not 0", folder)
		}
		if job.Spec.ActiveDeadlineSeconds == nil || *job.Spec.ActiveDeadlineSeconds <= 0 {
			t.Errorf("%s: has no activeDeadlineSeconds", folder)
		}
		if job.Spec.Template.Spec.RestartPolicy != core.RestartPolicyNever {
			t.Errorf("%s: its pod is started again", folder)
		}
		if grace := job.Spec.Template.Spec.TerminationGracePeriodSeconds; grace == nil || *grace < 60 {
			t.Errorf("%s: has less than a minute to put the node back", folder)
		}
	}
}

func TestJobsSeeTheNode(t *testing.T) {
	for folder, objects := range jobs(t) {
		pod := one[*batch.Job](t, objects).Spec.Template.Spec
		container := pod.Containers[0]
		if !pod.HostPID || !pod.HostNetwork || container.SecurityContext == nil || !*container.SecurityContext.Privileged {
			t.Errorf("%s: has not the namespaces and rights of the node", folder)
		}
		if len(container.Resources.Limits) != 0 {
			t.Errorf("%s: what measures is held back by limits", folder)
		}
		node := slices.IndexFunc(container.Env, func(env core.EnvVar) bool { return env.Name == "EXECTAX_NODE" })
		if node < 0 || container.Env[node].ValueFrom.FieldRef.FieldPath != "spec.nodeName" {
			t.Errorf("%s: EXECTAX_NODE is not the node's name", folder)
		}
		for path, expected := range map[string]string{
			"/sys/fs/cgroup":   "/sys/fs/cgroup",
			"/var/lib/exectax": "/var/lib/exectax",
			"/var/log":         "/var/log",
			"/results":         "/var/lib/exectax-results",
		} {
			if host := hostPath(pod, container, path); host != expected {
				t.Errorf("%s: %s is %q of the node, expected %q", folder, path, host, expected)
			}
		}
		for _, mount := range container.VolumeMounts {
			if !slices.ContainsFunc(pod.Volumes, func(volume core.Volume) bool { return volume.Name == mount.Name }) {
				t.Errorf("%s: there is no volume %q", folder, mount.Name)
			}
		}
	}
}

// hostPath is what of the node is mounted at path, nothing if there is nothing.
func hostPath(pod core.PodSpec, container core.Container, path string) string {
	for _, mount := range container.VolumeMounts {
		for _, volume := range pod.Volumes {
			if mount.MountPath == path && mount.Name == volume.Name && volume.HostPath != nil {
				return volume.HostPath.Path
			}
		}
	}
	return ""
}

func TestJobsMayListPodsAndNothingElse(t *testing.T) {
	for folder, objects := range jobs(t) {
		role := one[*rbac.ClusterRole](t, objects)
		if len(role.Rules) != 1 || !slices.Equal(role.Rules[0].Resources, []string{"pods"}) || !slices.Equal(role.Rules[0].Verbs, []string{"list"}) {
			t.Errorf("%s: the role has more rights than to list pods: %v", folder, role.Rules)
		}
		binding := one[*rbac.RoleBinding](t, objects)
		account := one[*core.ServiceAccount](t, objects)
		job := one[*batch.Job](t, objects)
		if binding.RoleRef.Name != role.Name || len(binding.Subjects) != 1 || binding.Subjects[0].Name != account.Name || binding.Subjects[0].Namespace != account.Namespace {
			t.Errorf("%s: the role is bound to %v", folder, binding.Subjects)
		}
		if job.Spec.Template.Spec.ServiceAccountName != account.Name || job.Namespace != account.Namespace {
			t.Errorf("%s: the Job has another account", folder)
		}
		for _, argument := range job.Spec.Template.Spec.Containers[0].Args {
			if monitor, is := strings.CutPrefix(argument, "--attach=pod:"); is && !strings.HasPrefix(monitor, binding.Namespace+"/") {
				t.Errorf("%s: attaches to %s, but may list the pods of %s alone", folder, monitor, binding.Namespace)
			}
		}
	}
}

// Whatever is not part of a kustomization, too: matrices and what the test deploys.
func TestEveryManifestIsOfKnownFields(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.yaml", "*/*.yaml", "../../tests/kubernetes/*.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// Without an apiVersion: a chart's values. Kustomizations are rendered.
		if filepath.Base(file) == "kustomization.yaml" || !strings.Contains(string(text), "apiVersion:") {
			continue
		}
		for _, document := range strings.Split(string(text), "\n---\n") {
			if _, err := decode([]byte(document)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// Each row of a matrix gives a patch that the API server takes.
func TestMatrixPatchesAreOfKnownFields(t *testing.T) {
	files, _ := filepath.Glob("cluster-*.yaml")
	if len(files) == 0 {
		t.Fatal("there is no matrix")
	}
	for _, file := range files {
		var matrix core.ConfigMap
		text, err := os.ReadFile(file)
		if err == nil {
			err = yaml.UnmarshalStrict(text, &matrix)
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		lines := strings.Split(strings.TrimSpace(matrix.Data["rows"]), "\n")
		for _, line := range lines[1:] {
			patch := matrix.Data["patch"]
			for index, column := range strings.Fields(lines[0]) {
				patch = strings.ReplaceAll(patch, "@"+column+"@", strings.Fields(line)[index])
			}
			var daemonset apps.DaemonSet
			if err := yaml.UnmarshalStrict([]byte(patch), &daemonset); err != nil {
				t.Errorf("%s: %s: %v", file, line, err)
			}
			if strings.Contains(patch, "@") || len(daemonset.Spec.Template.Spec.Containers) == 0 {
				t.Errorf("%s: %s: the patch is %s", file, line, patch)
			}
		}
	}
}

type rule map[string]string

// What Falco is deployed with is what exectax measures it with elsewhere.
func TestFalcoHasTheRulesOfItsMonitor(t *testing.T) {
	var values struct {
		CustomRules map[string]string `json:"customRules"`
	}
	text, err := os.ReadFile("falco/values.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &values)
	}
	if err != nil {
		t.Fatal(err)
	}
	var deployed []rule
	if err := yaml.UnmarshalStrict([]byte(values.CustomRules["exectax.yaml"]), &deployed); err != nil {
		t.Fatal(err)
	}
	var expected []rule
	for _, name := range []string{"exec_rule", "action-change-namespace", "action-read-sensitive", "action-write-below-bin"} {
		var rules []rule
		text, err := os.ReadFile("../../configs/falco/" + name + ".yaml")
		if err == nil {
			err = yaml.UnmarshalStrict(text, &rules)
		}
		if err != nil {
			t.Fatal(err)
		}
		expected = append(expected, rules...)
	}
	if !reflect.DeepEqual(deployed, expected) {
		t.Errorf("got %v, expected %v", deployed, expected)
	}
}
